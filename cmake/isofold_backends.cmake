# Backends: look for each, build those that are found, generate the list that the library starts from.
#
#   backends/<name>/find.cmake      sets `found` and `why` (what was found, or why not)
#   backends/<name>/CMakeLists.txt  calls isofold_add_backend(<name> SOURCES ... [LIBRARIES ...]
#                                                             [MODULE])

# Sets ISOFOLD_HAS_<name> and ISOFOLD_WHY_<name>. A macro, for find.cmake may enable a language. A project around this one
# that leaves a backend out says in ISOFOLD_PACKAGE_OF_<name> which package brings its module.
macro(isofold_find_backend name)
  string(TOUPPER ${name} isofold_upper)
  if(NOT ${name} STREQUAL "reference")
    # A parent project gets the vendors' compilers into its build when it asks for them.
    set(isofold_wish AUTO)
    if(NOT PROJECT_IS_TOP_LEVEL AND NOT ${name} STREQUAL "openmp")
      set(isofold_wish OFF)
    endif()
    set(ISOFOLD_ENABLE_${isofold_upper} ${isofold_wish} CACHE STRING
        "Backend ${name}: AUTO builds it if what it needs is installed, ON insists, OFF leaves it out")
    set_property(CACHE ISOFOLD_ENABLE_${isofold_upper} PROPERTY STRINGS AUTO ON OFF)
    set(isofold_wish "${ISOFOLD_ENABLE_${isofold_upper}}")
  else()
    set(isofold_wish ON)
  endif()
  string(TOUPPER "${isofold_wish}" isofold_wish)

  set(found FALSE)
  set(why "no reason was given")
  if(isofold_wish STREQUAL "AUTO")
    include("${PROJECT_SOURCE_DIR}/backends/${name}/find.cmake")
  elseif(isofold_wish)
    include("${PROJECT_SOURCE_DIR}/backends/${name}/find.cmake")
    if(NOT found)
      message(FATAL_ERROR "ISOFOLD_ENABLE_${isofold_upper} is ${isofold_wish}, but the backend "
              "${name} cannot be built: ${why}\n"
              "Install what is missing, or configure with -DISOFOLD_ENABLE_${isofold_upper}=OFF.")
    endif()
  elseif(ISOFOLD_PACKAGE_OF_${name})
    set(why "the package ${ISOFOLD_PACKAGE_OF_${name}} of this version brings it")
  else()
    set(why "switched off (ISOFOLD_ENABLE_${isofold_upper}=${isofold_wish})")
  endif()
  set(ISOFOLD_HAS_${name} ${found})
  set(ISOFOLD_WHY_${name} "${why}")
endmacro()

# The version that a module says it is of. A source of its own: with another version nothing else is compiled again.
set(isofold_module_version "${isofold_generated_folder}/module_version.cpp")
file(CONFIGURE OUTPUT "${isofold_module_version}" CONTENT
"// The version of the library that a module belongs to. Made by cmake/isofold_backends.cmake.
extern \"C\" {
extern const char isofold_module_version[] __attribute__((visibility(\"default\")));
const char isofold_module_version[] = \"${PROJECT_VERSION}\";
}
")

# MODULE: a shared library of its own that libisofold loads at run time, so that one install serves
# machines with and without the vendor's driver. A static build links everything.
function(isofold_add_backend name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MODULE" "" "SOURCES;LIBRARIES")
  if(arg_MODULE AND ISOFOLD_BUILD_SHARED)
    add_library(isofold_${name} MODULE ${arg_SOURCES} "${isofold_module_version}")
    target_compile_definitions(isofold_${name} PRIVATE ISOFOLD_BUILDING_MODULE)
    set_target_properties(isofold_${name} PROPERTIES
      PREFIX "" OUTPUT_NAME isofold-${name} SUFFIX ".so"
      LIBRARY_OUTPUT_DIRECTORY "${isofold_library_folder}")
    target_link_options(isofold_${name} PRIVATE
      "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/isofold_module.map")
    set_property(TARGET isofold_${name} APPEND PROPERTY LINK_DEPENDS
                 "${PROJECT_SOURCE_DIR}/cmake/isofold_module.map")
    if(ISOFOLD_INSTALL)
      install(TARGETS isofold_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    endif()
  else()
    add_library(isofold_${name} OBJECT ${arg_SOURCES})
    target_sources(isofold PRIVATE $<TARGET_OBJECTS:isofold_${name}>)
    target_link_libraries(isofold PRIVATE ${arg_LIBRARIES})
    set_property(GLOBAL APPEND PROPERTY isofold_linked ${name})
  endif()
  isofold_compile_options(isofold_${name})
  target_include_directories(isofold_${name} PRIVATE
    "${PROJECT_SOURCE_DIR}/include" "${isofold_generated_folder}/include"
    "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
  target_link_libraries(isofold_${name} PRIVATE ${arg_LIBRARIES})
endfunction()

# X-macros over the backends: all of them for the public enumeration; for the registry those linked in,
# those with memory of their own, and those that this build leaves out.
function(isofold_write_factories)
  get_property(ISOFOLD_LINKED_BACKENDS GLOBAL PROPERTY isofold_linked)
  foreach(list BACKENDS LINKED_BACKENDS DEVICE_BACKENDS)
    set(${list} "")
    foreach(name IN LISTS ISOFOLD_${list})
      string(APPEND ${list} " X(${name})")
    endforeach()
  endforeach()
  set(reasons "")
  foreach(name IN LISTS ISOFOLD_BACKENDS)
    if(NOT ISOFOLD_HAS_${name})
      string(REGEX REPLACE "([\\\"])" "\\\\\\1" reason "${ISOFOLD_WHY_${name}}")
      string(REGEX REPLACE "[\r\n]+" " " reason "${reason}")
      string(APPEND reasons " X(${name}, \"${reason}\")")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT "${isofold_generated_folder}/include/isofold/backend_list.hpp" @ONLY CONTENT
"// Every backend that isofold knows, in order of preference. Generated from the list in CMakeLists.txt.
#pragma once

#define ISOFOLD_BACKENDS(X)@BACKENDS@
")
  file(CONFIGURE OUTPUT "${isofold_generated_folder}/backend_factories.hpp" @ONLY CONTENT
"// Which backends are linked in, which have device memory, and why others were not built. Generated.
#pragma once

#define ISOFOLD_LINKED_BACKENDS(X)@LINKED_BACKENDS@
#define ISOFOLD_DEVICE_BACKENDS(X)@DEVICE_BACKENDS@
#define ISOFOLD_MISSING_BACKENDS(X)@reasons@
")
endfunction()

function(isofold_print_summary)
  message(STATUS "isofold ${PROJECT_VERSION}")
  foreach(name IN LISTS ISOFOLD_BACKENDS)
    if(ISOFOLD_HAS_${name})
      message(STATUS "  backend ${name}: yes, ${ISOFOLD_WHY_${name}}")
    else()
      message(STATUS "  backend ${name}: no, ${ISOFOLD_WHY_${name}}")
    endif()
  endforeach()
  if(ISOFOLD_HAS_fortran)
    message(STATUS "  Fortran: yes, ${ISOFOLD_WHY_fortran}")
  else()
    message(STATUS "  Fortran: no, ${ISOFOLD_WHY_fortran}")
  endif()
  foreach(part SHARED CLI TESTS BENCH)
    message(STATUS "  ISOFOLD_BUILD_${part}: ${ISOFOLD_BUILD_${part}}")
  endforeach()
endfunction()

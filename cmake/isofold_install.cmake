# Installation: library, modules, headers, CMake package with one component a backend and
# one of Fortran, pkg-config.
include(CMakePackageConfigHelpers)

set(isofold_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/isofold")
install(TARGETS isofold EXPORT isofold_targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/isofold" "${isofold_generated_folder}/include/isofold"
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(EXPORT isofold_targets NAMESPACE isofold:: DESTINATION ${isofold_package_folder}
        FILE isofoldTargets.cmake)

# The state of each component, or why it is missing, is known here; find_package tells it later.
set(isofold_components "")
foreach(backend IN LISTS ISOFOLD_BACKENDS)
  string(APPEND isofold_components "set(isofold_${backend}_FOUND ${ISOFOLD_HAS_${backend}})\n")
  string(APPEND isofold_components "set(isofold_${backend}_WHY [==[${ISOFOLD_WHY_${backend}}]==])\n")
endforeach()
# The Fortran module is a component, too, for the compiler that made it.
set(isofold_fortran_compiler "")
if(ISOFOLD_HAS_fortran)
  set(isofold_fortran_compiler "${CMAKE_Fortran_COMPILER_ID}")
endif()
string(APPEND isofold_components "set(isofold_fortran_FOUND ${ISOFOLD_HAS_fortran})\n")
string(APPEND isofold_components "set(isofold_fortran_WHY [==[${ISOFOLD_WHY_fortran}]==])\n")
get_property(isofold_linked_backends GLOBAL PROPERTY isofold_linked)
set(isofold_module_backends "")
if(ISOFOLD_BUILD_SHARED)
  set(isofold_module_backends ${ISOFOLD_BACKENDS})
  list(REMOVE_ITEM isofold_module_backends ${isofold_linked_backends})
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/isofoldConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/isofoldConfig.cmake" INSTALL_DESTINATION ${isofold_package_folder}
  PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/isofoldConfigVersion.cmake"
                                 COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/isofoldConfig.cmake"
              "${PROJECT_BINARY_DIR}/isofoldConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/isofold_debian_hip.cmake"
        DESTINATION ${isofold_package_folder})

# Relative to the file itself, so that an installed tree can be moved.
file(RELATIVE_PATH isofold_prefix_from_pc
     "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
set(isofold_static_definition "")
set(isofold_private_libraries "-lstdc++ -lpthread -ldl")
if(NOT ISOFOLD_BUILD_SHARED)
  set(isofold_static_definition " -DISOFOLD_STATIC")
  if("openmp" IN_LIST isofold_linked_backends)
    string(APPEND isofold_private_libraries " ${OpenMP_CXX_FLAGS}")
  endif()
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/isofold.pc.in" "${PROJECT_BINARY_DIR}/isofold.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/isofold.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# isofold_try_project(name result why [variable=value]...): configures and builds the small project
# cmake/checks/<name> in a CMake process of its own. A package that is half installed often stops
# CMake with a fatal error; there it stops only the check. `why` gets the first error on failure.
# A success is remembered until one of the variables changes. A list is given as a|b.
function(isofold_try_project name result why)
  set(source "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/checks/${name}")
  set(binary "${PROJECT_BINARY_DIR}/checks/${name}")
  set(arguments "")
  foreach(definition IN LISTS ARGN)
    string(REPLACE "|" "\\;" definition "${definition}")
    list(APPEND arguments "-D${definition}")
  endforeach()
  foreach(variable CMAKE_MAKE_PROGRAM CMAKE_CXX_COMPILER CMAKE_PREFIX_PATH CMAKE_TOOLCHAIN_FILE)
    if(${variable})
      string(REPLACE ";" "\\;" value "${${variable}}")
      list(APPEND arguments "-D${variable}=${value}")
    endif()
  endforeach()

  set(${result} TRUE PARENT_SCOPE)
  set(${why} "" PARENT_SCOPE)
  string(MD5 question "${arguments}")
  if(ISOFOLD_CHECKED_${name} STREQUAL question)
    return()
  endif()
  message(STATUS "Checking whether a project with ${name} can be built")
  file(REMOVE_RECURSE "${binary}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -G "${CMAKE_GENERATOR}" -S "${source}" -B "${binary}" ${arguments}
    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(status EQUAL 0)
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${binary}"
                    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  endif()
  if(status EQUAL 0)
    set(ISOFOLD_CHECKED_${name} ${question} CACHE INTERNAL "The check that succeeded")
    return()
  endif()
  file(WRITE "${binary}/output.log" "${text}")
  set(${result} FALSE PARENT_SCOPE)
  isofold_first_error("${text}" first)
  set(${why} "${first}" PARENT_SCOPE)
endfunction()

# The first error in a compiler's or CMake's output, as one line. CMake's own come wrapped below a line
# "CMake Error at file:line (command):"; what a compiler said within one tells more. A linker's reason stands
# above its errors.
function(isofold_first_error text result)
  if(text MATCHES "([^\n]*(recompile with -fPIC|cannot be used with -shared)[^\n]*)")
    set(first "${CMAKE_MATCH_1}")
  elseif(text MATCHES "([^\n]*( error: |undefined reference|cannot find)[^\n]*)")
    set(first "${CMAKE_MATCH_1}")
  elseif(text MATCHES "CMake Error[^\n]*:\n+(.*)")
    string(REGEX REPLACE "\n(Call Stack|CMake Error|-- ).*" "" first "${CMAKE_MATCH_1}")
  else()
    set(first "it could not be built")
  endif()
  string(REGEX REPLACE "[ \n\t;]+" " " first "${first}")
  string(STRIP "${first}" first)
  string(SUBSTRING "${first}" 0 240 first)
  set(${result} "${first}" PARENT_SCOPE)
endfunction()

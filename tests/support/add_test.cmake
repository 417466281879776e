# isofold_add_test(name LABELS quick|default|exhaustive COMMAND ... [ENVIRONMENT NAME=value ...]
#                  [TIMEOUT seconds] [COST seconds] [SERIAL]): one ctest test with its label, its environment and a
# limit. Tests of the highest cost start first, so that no long one runs alone at the end: ctest knows the times of
# earlier runs, but a clean checkout has none. About how long a test of half a minute or more takes is COST.
# Exit code 77 counts as skipped. OMP_WAIT_POLICY stays the runtime's, but spinning teams of parallel
# ctest jobs would starve each other, so idle threads sleep soon. The target quick_tests builds what the
# quick tests run.
add_custom_target(quick_tests)
function(isofold_add_test name)
  isofold_sanitizer_environment(sanitizers)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "LABELS;TIMEOUT;COST" "COMMAND;ENVIRONMENT")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
    if(arg_LABELS STREQUAL "exhaustive")
      set(arg_TIMEOUT 7200)
    endif()
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  list(GET arg_COMMAND 0 program)
  if("quick" IN_LIST arg_LABELS AND TARGET ${program})
    add_dependencies(quick_tests ${program})
  endif()
  set_tests_properties(${name} PROPERTIES
    LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77 RUN_SERIAL ${arg_SERIAL}
    ENVIRONMENT "GOMP_SPINCOUNT=1000;${sanitizers};${arg_ENVIRONMENT}")
  if(arg_COST)
    set_tests_properties(${name} PROPERTIES COST ${arg_COST})
  endif()
endfunction()

# Sets `variable` to what the runtimes of this build's sanitizers are told, if it has any. ThreadSanitizer
# knows the order of an OpenMP team from Archer, which lies beside clang's libomp; code that is not
# instrumented, libomp's own, is left to it. Their allocators refuse what is too large with a null pointer, as
# malloc does, and as the library expects.
function(isofold_sanitizer_environment variable)
  set(told "")
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")
    list(APPEND told ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1)
  endif()
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*thread")
    list(APPEND told TSAN_OPTIONS=ignore_noninstrumented_modules=1:allocator_may_return_null=1)
    if(NOT DEFINED ISOFOLD_ARCHER)
      execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-resource-dir OUTPUT_VARIABLE resources
                      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    find_library(ISOFOLD_ARCHER archer HINTS "${resources}/../.." DOC "Archer, for ThreadSanitizer")
    mark_as_advanced(ISOFOLD_ARCHER)
    if(ISOFOLD_ARCHER)
      list(APPEND told "OMP_TOOL_LIBRARIES=${ISOFOLD_ARCHER}")
    endif()
  endif()
  set(${variable} "${told}" PARENT_SCOPE)
endfunction()

# isofold_add_test(name LABELS quick|default|exhaustive COMMAND ... [ENVIRONMENT NAME=value ...]
#                  [TIMEOUT seconds] [SERIAL]): one ctest test with its label, its environment and a limit.
# Exit code 77 counts as skipped. OMP_WAIT_POLICY stays the runtime's, but spinning teams of parallel
# ctest jobs would starve each other, so idle threads sleep soon.
function(isofold_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "LABELS;TIMEOUT" "COMMAND;ENVIRONMENT")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
    if(arg_LABELS STREQUAL "exhaustive")
      set(arg_TIMEOUT 7200)
    endif()
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES
    LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77 RUN_SERIAL ${arg_SERIAL}
    ENVIRONMENT "GOMP_SPINCOUNT=1000;${arg_ENVIRONMENT}")
endfunction()

# The cases that the consumers of tests/install ask for, in place of src/ops/supported_cases.hpp, and few of exact_v1.
# CMAKE_PROJECT_isofold_INCLUDE names this file.
include_directories(BEFORE "${CMAKE_CURRENT_LIST_DIR}/each_fold")
include_directories(BEFORE "${CMAKE_CURRENT_LIST_DIR}/few_cases")  # the first to be searched
add_compile_definitions(ISOFOLD_TEST_HALF=4)

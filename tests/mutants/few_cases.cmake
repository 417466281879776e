# The first folder in which every target looks for headers. CMAKE_PROJECT_isofold_INCLUDE names this file.
include_directories(BEFORE "${CMAKE_CURRENT_LIST_DIR}/cases")
add_compile_definitions(ISOFOLD_TEST_SOME_CASES)

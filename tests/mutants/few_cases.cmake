# The first folder in which every target looks for headers. Named by CMAKE_PROJECT_isofold_INCLUDE.
include_directories(BEFORE "${CMAKE_CURRENT_LIST_DIR}/cases")
add_compile_definitions(ISOFOLD_TEST_SOME_CASES)

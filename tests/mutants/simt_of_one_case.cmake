# The tests on emulated GPUs over the kernels of one case each, which compile in seconds. tests/simt/CMakeLists.txt
# includes this file; ISOFOLD_MUTANT_CASES lists the cases as name:struct.
add_library(simt_front STATIC EXCLUDE_FROM_ALL ${front} "${PROJECT_SOURCE_DIR}/backends/reference/reference.cpp")
isofold_simt_options(simt_front -O1)
target_link_libraries(simt_front PUBLIC Threads::Threads ${CMAKE_DL_LIBS})

add_library(simt_suite OBJECT EXCLUDE_FROM_ALL ../conformance/conformance_test.cpp)
isofold_simt_options(simt_suite -O0)
target_link_libraries(simt_suite PRIVATE GTest::gtest)

# simt_mutant(program case source...): a test with simt32.cpp and simt64.cpp over that case alone.
function(simt_mutant program case)
  add_executable(${program} EXCLUDE_FROM_ALL ${ARGN} ${simulated_backends})
  target_include_directories(${program} BEFORE PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/one_case/${case}")
  target_link_libraries(${program} PRIVATE GTest::gtest)
endfunction()

foreach(case_and_struct IN LISTS ISOFOLD_MUTANT_CASES)
  string(REGEX MATCH "^([a-z0-9_]+):(.*)$" matched "${case_and_struct}")
  set(case ${CMAKE_MATCH_1})
  set(struct "${CMAKE_MATCH_2}")
  string(REGEX MATCH "^(.*)_([a-z0-9]+)$" matched "${case}")
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/one_case/${case}/ops/supported_cases.hpp" @ONLY CONTENT
"// One case of the table, for the mutation run. Generated.
#pragma once

#include \"@PROJECT_SOURCE_DIR@/tests/support/whole_table.hpp\"

namespace isofold {

template <class T>
using FusableFolds = FoldNames<core::Sum>;
template <class T>
using FusablePairs = FoldNames<core::Sum>;

template <class Visit>
bool visit_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
  return fold == ISOFOLD_FOLD_@CMAKE_MATCH_1@ && type == ISOFOLD_TYPE_@CMAKE_MATCH_2@ &&
         visit_checked(@struct@{}, visit);
}

}  // namespace isofold
")
  simt_mutant(simt_${case} ${case} $<TARGET_OBJECTS:simt_suite>)
  isofold_simt_options(simt_${case} -O0)
  add_dependencies(simt_${case} isofold_conformance)
  target_link_libraries(simt_${case} PRIVATE "$<TARGET_FILE:isofold_conformance>" simt_front)
endforeach()

simt_mutant(simt_library sum_f32 library_test.cpp)
isofold_simt_options(simt_library -O0)
target_link_libraries(simt_library PRIVATE simt_front GTest::gtest_main)

# Two cases of exact_v1, which the front and the reference have here, too.
add_executable(simt_exact EXCLUDE_FROM_ALL exact_test.cpp ${simulated_backends} ${front}
               "${PROJECT_SOURCE_DIR}/backends/reference/reference.cpp")
target_include_directories(simt_exact BEFORE PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/one_case/sum_f32"
                           "${PROJECT_SOURCE_DIR}/tests/support/each_fold"
                           "${PROJECT_SOURCE_DIR}/tests/support")
target_compile_definitions(simt_exact PRIVATE ISOFOLD_WITH_EXACT_KERNELS)
isofold_simt_options(simt_exact -O1)
target_link_libraries(simt_exact PRIVATE Threads::Threads ${CMAKE_DL_LIBS} GTest::gtest GTest::gtest_main)

# Each operation of the platform fails in turn, over the folds that the entry points name, which the front
# and the reference have here, too.
add_executable(simt_faults EXCLUDE_FROM_ALL faults_test.cpp ${simulated_backends} ${front}
               "${PROJECT_SOURCE_DIR}/backends/reference/reference.cpp")
target_include_directories(simt_faults BEFORE PRIVATE "${CMAKE_CURRENT_LIST_DIR}/cases_of_faults")
isofold_simt_options(simt_faults -O0)
target_include_directories(simt_faults PRIVATE "${PROJECT_SOURCE_DIR}/tests/support")
target_link_libraries(simt_faults PRIVATE Threads::Threads ${CMAKE_DL_LIBS} GTest::gtest GTest::gtest_main)

# The fault sweep of the device door.
add_executable(simt_door EXCLUDE_FROM_ALL door_faults_test.cpp)
isofold_simt_options(simt_door -O0)
target_include_directories(simt_door PRIVATE "${PROJECT_SOURCE_DIR}/tests/support")
target_link_libraries(simt_door PRIVATE GTest::gtest GTest::gtest_main)

add_executable(simt_places EXCLUDE_FROM_ALL fused_test.cpp launch_table_test.cpp nodes_test.cpp places_test.cpp
               shifted_chunk_test.cpp tiny_test.cpp workspace_test.cpp)
isofold_simt_options(simt_places -O0)
target_link_libraries(simt_places PRIVATE GTest::gtest GTest::gtest_main)
add_executable(simt_halves EXCLUDE_FROM_ALL halves_test.cpp)
isofold_simt_options(simt_halves -O1)
target_link_libraries(simt_halves PRIVATE GTest::gtest GTest::gtest_main)
# Lists with all folds on them.
add_executable(simt_lists EXCLUDE_FROM_ALL kernel_folds_test.cpp lists_test.cpp)
isofold_simt_options(simt_lists -O0)
target_include_directories(simt_lists BEFORE PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(simt_lists PRIVATE GTest::gtest GTest::gtest_main)

foreach(program simt_places simt_lists)
  target_compile_definitions(${program} PRIVATE ISOFOLD_TEST_ALL_KERNELS=1)
endforeach()

foreach(test_and_sanitizer races:thread bounds:address,undefined)
  string(REGEX MATCH "^(.*):(.*)$" matched ${test_and_sanitizer})
  set(program simt_${CMAKE_MATCH_1})
  set(flags -g1 -fsanitize=${CMAKE_MATCH_2} -fno-sanitize-recover=all)
  simt_mutant(${program} sum_f32 ${CMAKE_MATCH_1}_test.cpp
              "${PROJECT_SOURCE_DIR}/backends/reference/reference.cpp" ${layouts})
  isofold_simt_options(${program} -O1 ${flags})
  target_link_options(${program} PRIVATE ${flags})
  target_link_libraries(${program} PRIVATE Threads::Threads ${CMAKE_DL_LIBS} GTest::gtest_main)
endforeach()
target_sources(simt_races PRIVATE "${PROJECT_SOURCE_DIR}/simulator/race_reports.cpp")

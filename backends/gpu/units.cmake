# The sources that make a GPU backend's kernels, side by side. A line of the list is a source: its name,
# kinds of folds (FoldKind in typed_dispatch.hpp; `lists`: several folds at once; `exact`: the sums of exact_v1) and element types. Kinds
# and types that share kernels, as signed and unsigned integers do, have one source.
set(isofold_kernel_units
  "f32_sums      : sums            : float"
  "f32_extrema   : extrema counts  : float"
  "f32_places    : places          : float"
  "f32_statistics: statistics      : float"
  "f32_pairs     : pairs           : float"
  "f64_sums      : sums            : double"
  "f64_extrema   : extrema counts  : double"
  "f64_places    : places          : double"
  "f64_statistics: statistics      : double"
  "f64_pairs     : pairs           : double"
  "i32_sums      : sums counts     : std::int32_t std::uint32_t"
  "i32_extrema   : extrema places  : std::int32_t std::uint32_t"
  "i64_sums      : sums counts     : std::int64_t std::uint64_t"
  "i64_extrema   : extrema places  : std::int64_t std::uint64_t"
  "c64           : sums statistics : isofold_c64"
  "c128          : sums statistics : isofold_c128"
  "complex_pairs : pairs           : isofold_c64 isofold_c128"
  "lists         : lists           : float double std::int32_t std::uint32_t std::int64_t std::uint64_t isofold_c64 isofold_c128"
  "exact_real    : exact           : float std::int32_t std::uint32_t std::int64_t std::uint64_t"
  "exact_f64     : exact           : double"
  "exact_complex : exact           : isofold_c64 isofold_c128")

option(ISOFOLD_EXACT_KERNELS "CUDA, HIP: the kernels of exact_v1" ON)
option(ISOFOLD_TEST_FEW_CUDA_KERNELS
       "Tests: each fold once or twice in the CUDA backend, where no NVIDIA GPU runs it; never to be installed" OFF)
option(ISOFOLD_TEST_FEW_HIP_KERNELS
       "Tests: each fold once or twice in the HIP backend, where no AMD GPU runs it; never to be installed" OFF)

# Writes them, and sets `sources` to their paths. Where only few kernels are made, for tests, a source has all of
# an element type, for the headers take longer than they do: `few` is true.
function(isofold_write_kernel_units sources platform header extension few)
  set(names "")
  foreach(unit IN LISTS isofold_kernel_units)
    string(REGEX MATCH "^([a-z0-9_]+) *: ([a-z ]+) : (.*)$" matched "${unit}")
    set(name "${CMAKE_MATCH_1}")
    separate_arguments(kinds UNIX_COMMAND "${CMAKE_MATCH_2}")
    separate_arguments(types UNIX_COMMAND "${CMAKE_MATCH_3}")
    if(kinds STREQUAL "exact" AND NOT ISOFOLD_EXACT_KERNELS)
      continue()
    endif()
    if(few)
      string(REGEX REPLACE "_.*" "" name "${name}")
    endif()
    list(APPEND names "${name}")
    foreach(type IN LISTS types)
      foreach(kind IN LISTS kinds)
        if(kind STREQUAL "lists")
          string(APPEND text_of_${name} "ISOFOLD_LISTS_OF(${platform}, ${type})\n")
        elseif(kind STREQUAL "exact")
          string(APPEND text_of_${name} "ISOFOLD_EXACT_OF(${platform}, ${type})\n")
        else()
          string(APPEND text_of_${name} "ISOFOLD_KERNELS_OF(${platform}, ${type}, ${kind})\n")
        endif()
      endforeach()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(written "")
  foreach(name IN LISTS names)
    set(path "${CMAKE_CURRENT_BINARY_DIR}/${name}.${extension}")
    file(CONFIGURE OUTPUT "${path}" @ONLY CONTENT
"// Made by backends/gpu/units.cmake.
#include <${header}>  // first: what a GPU's compiler knows

#include <backends/gpu/host/typed_dispatch.hpp>

${text_of_${name}}")
    list(APPEND written "${path}")
  endforeach()
  set(${sources} "${written}" PARENT_SCOPE)
endfunction()

# The table of few cases in place of src/ops/supported_cases.hpp; in a build without the tests, too (scripts/wheel).
function(isofold_few_kernels target)
  target_include_directories(${target} BEFORE PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/each_fold")
  target_compile_definitions(${target} PRIVATE ISOFOLD_TEST_KINDS)
endfunction()

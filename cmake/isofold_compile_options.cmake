# isofold_compile_options(target): C++17, warnings, hidden symbols and the floating-point contract.
# The contract (docs/tree.md, "What breaks bits") is appended after the consumer's own flags, so that
# a parent's -Ofast or --use_fast_math cannot reach a fold.
set(isofold_warnings -Wall -Wextra -Wpedantic -Wconversion)

function(isofold_compile_options target)
  # Set here, so that no scope can call this function and find them empty.
  set(host_floating_point -fno-fast-math -ffp-contract=off)
  set(hip_floating_point ${host_floating_point} -fno-gpu-flush-denormals-to-zero
      -fhip-fp32-correctly-rounded-divide-sqrt)
  set(cuda_floating_point --fmad=false --ftz=false --prec-div=true --prec-sqrt=true)
  target_compile_features(${target} PRIVATE cxx_std_17)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    CUDA_EXTENSIONS OFF
    HIP_STANDARD 17
    HIP_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden
    CUDA_VISIBILITY_PRESET hidden
    HIP_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  if(NOT POLICY CMP0128)  # before CMake 3.22 a feature alone leaves the compiler's GNU dialect on
    set_target_properties(${target} PROPERTIES CXX_STANDARD 17)
  endif()

  set(warnings ${isofold_warnings})
  set(cuda_warnings -Xcompiler=-Wall,-Wextra,-Wconversion)
  if(ISOFOLD_WARNINGS_AS_ERRORS)
    list(APPEND warnings -Werror)
    list(APPEND cuda_warnings --Werror=all-warnings -Xcompiler=-Werror)
  endif()
  string(REPLACE ";" "," host_through_nvcc "${host_floating_point}")
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${warnings};${host_floating_point}>"
    "$<$<COMPILE_LANGUAGE:HIP>:${warnings};${hip_floating_point}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_warnings};${cuda_floating_point};-Xcompiler=${host_through_nvcc}>")
endfunction()

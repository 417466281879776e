# Finds CMake's CUDA language by nvcc, for which the floating-point options are spelled and tested;
# clang's CUDA is refused. A GPU is not needed to build. Without one, or before CMake 3.24, the
# build holds machine code for compute capability 9.0 (H100, H200) and PTX for 7.5, which the
# driver translates for every other GPU from Turing on, so that there is no list of chips to keep
# up to date.
include(CheckLanguage)

if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE isofold_no_gpu
                  OUTPUT_QUIET ERROR_QUIET)
  if(isofold_no_gpu STREQUAL "0" AND CMAKE_VERSION VERSION_GREATER_EQUAL 3.24)  # older ones do not know `native`
    set(CMAKE_CUDA_ARCHITECTURES native CACHE STRING "CUDA architectures")
  else()
    set(CMAKE_CUDA_ARCHITECTURES "75-virtual;90-real" CACHE STRING "CUDA architectures")
  endif()
endif()
# A toolkit that is installed but not on the PATH is sought at its vendor's place.
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(ISOFOLD_NVCC nvcc HINTS "$ENV{CUDA_PATH}/bin" "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin
               DOC "NVIDIA's compiler")
  mark_as_advanced(ISOFOLD_NVCC)
  if(ISOFOLD_NVCC)
    set(CMAKE_CUDA_COMPILER "${ISOFOLD_NVCC}")
  endif()
endif()

check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  enable_language(CUDA)
  list(JOIN CMAKE_CUDA_ARCHITECTURES ", " isofold_cuda_architectures)
  set(why "${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION} for ${isofold_cuda_architectures}")
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    set(found TRUE)
  else()
    string(PREPEND why "the CUDA compiler must be nvcc (CMAKE_CUDA_COMPILER), not ")
  endif()
else()
  set(why "no CUDA compiler: nvcc was not found, or it cannot use this C++ compiler (CMakeError.log)")
endif()

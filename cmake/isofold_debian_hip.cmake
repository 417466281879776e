# CMake's HIP language with Debian's packages (hipcc, libamdhip64-dev, rocm-device-libs), which lie
# in the system's own folders and not in one ROCm tree. Nothing here applies if there is an ordinary
# ROCm tree, or if the user has named one (CMAKE_HIP_COMPILER_ROCM_ROOT, ROCM_PATH).
#
#   CMAKE_HIP_COMPILER            the clang that Debian's hipcc calls; `clang++` may be an older one
#   CMAKE_HIP_COMPILER_ROCM_ROOT  CMake 3.25 looks for <root>/lib/cmake/hip-lang, Debian has
#                                 lib/<architecture>/cmake/hip-lang: a root of our own links to it
#   CMAKE_HIP_FLAGS               clang needs to be told where headers and device libraries are
#   isofold_hip_prefix_path       for the environment's CMAKE_PREFIX_PATH while the language is enabled:
#                                 CMake's test of the compiler does not search lib/<architecture>
#
# The functions are macros because enable_language() reads these variables in the scope of the
# caller. The file is installed with the package: `isofold_enable_hip()` is for consumers, too, and
# means enable_language(HIP) if there is nothing to repair. C++ must be enabled before it.
macro(isofold_enable_hip)
  if(NOT DEFINED isofold_hip_prefix_path)
    isofold_prepare_debian_hip()
  endif()
  set(isofold_callers_prefix_path "$ENV{CMAKE_PREFIX_PATH}")
  if(isofold_hip_prefix_path)
    set(ENV{CMAKE_PREFIX_PATH} "${isofold_hip_prefix_path}")
  endif()
  enable_language(HIP)
  set(ENV{CMAKE_PREFIX_PATH} "${isofold_callers_prefix_path}")
endmacro()

macro(isofold_prepare_debian_hip)
  set(isofold_hip_prefix_path "")
  set(isofold_hip_packages "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake")
  if(NOT CMAKE_HIP_COMPILER_LOADED AND NOT CMAKE_HIP_COMPILER_ROCM_ROOT
     AND NOT DEFINED ENV{ROCM_PATH} AND NOT EXISTS "/opt/rocm/lib/cmake/hip-lang"
     AND EXISTS "${isofold_hip_packages}/hip-lang/hip-lang-config.cmake")
    set(isofold_hip_prefix_path "${isofold_hip_packages}")
    if(NOT CMAKE_HIP_COMPILER)
      execute_process(COMMAND hipcc --version OUTPUT_VARIABLE isofold_hipcc ERROR_QUIET)
      if(isofold_hipcc MATCHES "clang version ([0-9]+)")
        find_program(CMAKE_HIP_COMPILER "clang++-${CMAKE_MATCH_1}"
                     DOC "HIP compiler: the clang that hipcc calls")
      endif()
    endif()
    set(CMAKE_HIP_COMPILER_ROCM_ROOT "${PROJECT_BINARY_DIR}/rocm")
    file(MAKE_DIRECTORY "${CMAKE_HIP_COMPILER_ROCM_ROOT}/lib/cmake")
    file(CREATE_LINK "${isofold_hip_packages}/hip-lang"
         "${CMAKE_HIP_COMPILER_ROCM_ROOT}/lib/cmake/hip-lang" SYMBOLIC)
    set(isofold_hip_bitcode "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode")
    if(NOT CMAKE_HIP_FLAGS MATCHES "--rocm-path")
      string(STRIP "${CMAKE_HIP_FLAGS} --rocm-path=/usr --hip-device-lib-path=${isofold_hip_bitcode}"
             CMAKE_HIP_FLAGS)
    endif()
  endif()
endmacro()

# Finds CMake's HIP language (clang with AMD's device libraries) and the HIP runtime. A GPU is not
# needed to build: without one, code is made for gfx906, gfx90a and gfx1030.
include(isofold_try_project)
include(isofold_debian_hip)

isofold_prepare_debian_hip()
if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)
  execute_process(COMMAND rocm_agent_enumerator -t GPU OUTPUT_VARIABLE isofold_hip_agents ERROR_QUIET)
  string(REGEX MATCHALL "gfx[1-9][0-9a-f]+" isofold_hip_agents "${isofold_hip_agents}")
  list(REMOVE_DUPLICATES isofold_hip_agents)
  if(NOT isofold_hip_agents)
    set(isofold_hip_agents gfx906 gfx90a gfx1030)
  endif()
  set(CMAKE_HIP_ARCHITECTURES "${isofold_hip_agents}" CACHE STRING "HIP architectures")
endif()
list(JOIN CMAKE_HIP_ARCHITECTURES "|" isofold_hip_architectures)

find_program(ISOFOLD_HIPCC hipcc HINTS "$ENV{ROCM_PATH}/bin" /opt/rocm/bin
             DOC "AMD's hipcc: its presence tells that HIP is installed")
mark_as_advanced(ISOFOLD_HIPCC)
if(CMAKE_HIP_COMPILER_LOADED)
  set(found TRUE)
elseif(NOT ISOFOLD_HIPCC AND NOT CMAKE_HIP_COMPILER)
  set(why "hipcc was not found, nor is CMAKE_HIP_COMPILER set")
else()
  isofold_try_project(hip found why
    "CMAKE_HIP_COMPILER=${CMAKE_HIP_COMPILER}"
    "CMAKE_HIP_COMPILER_ROCM_ROOT=${CMAKE_HIP_COMPILER_ROCM_ROOT}"
    "CMAKE_HIP_FLAGS=${CMAKE_HIP_FLAGS}"
    "CMAKE_HIP_ARCHITECTURES=${isofold_hip_architectures}"
    "isofold_hip_prefix_path=${isofold_hip_prefix_path}")
endif()
if(found)
  isofold_enable_hip()
  list(JOIN CMAKE_HIP_ARCHITECTURES ", " isofold_hip_architectures)
  set(why "Clang ${CMAKE_HIP_COMPILER_VERSION} for ${isofold_hip_architectures}")
elseif(ISOFOLD_HIPCC OR CMAKE_HIP_COMPILER)
  set(why "CMake's HIP language cannot be used: ${why}")
endif()

# Any Kokkos of 3.4 or newer with a host execution space. A static isofold hands it on to programs outside this
# project, by what CMake has since 3.24.
include(isofold_try_project)
include(isofold_find_kokkos)

if(NOT ISOFOLD_BUILD_SHARED AND CMAKE_VERSION VERSION_LESS 3.24)
  set(why "a static library needs CMake 3.24 for it, and this is ${CMAKE_VERSION}")
  return()
endif()
isofold_try_project(kokkos found why "Kokkos_ROOT=${Kokkos_ROOT}" "Kokkos_DIR=${Kokkos_DIR}")
if(found)
  isofold_find_kokkos()
  string(REPLACE ";" ", " why "Kokkos with ${Kokkos_DEVICES}")
elseif(why MATCHES "-fPIC|with -shared")
  string(CONCAT why "Kokkos is a static library without position-independent code, which a shared object cannot take in: "
      "build Kokkos with -DCMAKE_POSITION_INDEPENDENT_CODE=ON or -DBUILD_SHARED_LIBS=ON (the linker said: ${why})")
else()
  set(why "Kokkos cannot be used: ${why}")
endif()

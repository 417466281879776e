# Any Kokkos of 3.4 or newer with a host execution space.
include(isofold_try_project)
include(isofold_find_kokkos)

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

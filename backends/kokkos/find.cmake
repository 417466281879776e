# Any Kokkos of 3.4 or newer with a host execution space.
include(isofold_try_project)
include(isofold_find_kokkos)

isofold_try_project(kokkos found why "Kokkos_ROOT=${Kokkos_ROOT}" "Kokkos_DIR=${Kokkos_DIR}")
if(found)
  isofold_find_kokkos()
  string(REPLACE ";" ", " why "Kokkos with ${Kokkos_DEVICES}")
else()
  set(why "Kokkos cannot be used: ${why}")
endif()

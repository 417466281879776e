# isofold_find_kokkos(): find_package(Kokkos), with Debian's package repaired. Debian's Kokkos
# (built within Trilinos) gives Kokkos::kokkos an include directory that does not exist; the right
# one stands in Kokkos_INCLUDE_DIRS. It is a function because KokkosConfig.cmake sets many
# variables, and CMAKE_CXX_EXTENSIONS in the cache.
function(isofold_find_kokkos)
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(scope "")
  if(DEFINED ISOFOLD_BUILD_SHARED AND NOT ISOFOLD_BUILD_SHARED)
    set(scope GLOBAL)  # a static isofold hands Kokkos on to the parent project's programs
  endif()
  find_package(Kokkos QUIET ${scope})
  if(NOT TARGET Kokkos::kokkos)
    return()
  endif()
  get_target_property(include_directories Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  if(include_directories AND NOT include_directories MATCHES "\\$<")
    foreach(directory IN LISTS include_directories)
      if(NOT EXISTS "${directory}" AND Kokkos_INCLUDE_DIRS)
        get_filename_component(repaired "${Kokkos_INCLUDE_DIRS}" ABSOLUTE)
        set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${repaired}")
      endif()
    endforeach()
  endif()
  set(Kokkos_FOUND TRUE PARENT_SCOPE)
  set(Kokkos_DEVICES "${Kokkos_DEVICES}" PARENT_SCOPE)
endfunction()

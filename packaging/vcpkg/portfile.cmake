# A port for vcpkg, which nobody has run with vcpkg yet; packaging/recipes_by_hand makes its calls of CMake.
# ISOFOLD_ARCHIVE and ISOFOLD_SHA512 are those of the release's archive, whose address the registry's copy of this has.
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "$ENV{ISOFOLD_ARCHIVE}")
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" shared)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DISOFOLD_BUILD_SHARED=${shared} -DISOFOLD_ENABLE_OPENMP=ON -DISOFOLD_ENABLE_CUDA=OFF
          -DISOFOLD_ENABLE_HIP=OFF -DISOFOLD_ENABLE_KOKKOS=OFF -DISOFOLD_BUILD_FORTRAN=OFF -DISOFOLD_BUILD_CLI=OFF
          -DISOFOLD_BUILD_TESTS=OFF -DISOFOLD_WARNINGS_AS_ERRORS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/isofold)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")

# Defaults that a parent project overrides: build type, shared or static, where outputs go.
if(CMAKE_VERSION VERSION_LESS 3.21)  # later ones say it themselves
  string(COMPARE EQUAL "${CMAKE_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}" PROJECT_IS_TOP_LEVEL)
endif()
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()

# Under a parent project its BUILD_SHARED_LIBS decides; alone the library is shared.
if(DEFINED BUILD_SHARED_LIBS)
  set(isofold_shared_default ${BUILD_SHARED_LIBS})
else()
  set(isofold_shared_default ON)
endif()

# Modules are looked up beside libisofold, in the build tree as in the installed one.
set(isofold_library_folder "${PROJECT_BINARY_DIR}/lib")
set(isofold_generated_folder "${PROJECT_BINARY_DIR}/generated")

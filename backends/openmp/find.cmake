# A C++ compiler with OpenMP.
find_package(OpenMP QUIET COMPONENTS CXX)
if(OpenMP_CXX_FOUND)
  set(found TRUE)
  set(why "OpenMP ${OpenMP_CXX_VERSION}")
else()
  set(why "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} has no OpenMP (clang: install libomp-dev)")
endif()

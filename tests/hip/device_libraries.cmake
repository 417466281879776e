# isofold_link_device_libraries(from to compiler): links to Debian 12's device libraries in the folder `to`, and the one
# file that they lack for gfx1100, which LLVM 15 knows: it holds the architecture's number. Nothing but tests uses it.
# `cmake -DFROM=... -DTO=... -DCOMPILER=... -P` does the same.
function(isofold_link_device_libraries from to compiler)
  if(EXISTS "${to}/oclc_isa_version_1100.bc")
    return()
  endif()
  file(MAKE_DIRECTORY "${to}")
  file(GLOB libraries "${from}/*.bc")
  foreach(library IN LISTS libraries)
    get_filename_component(name "${library}" NAME)
    file(CREATE_LINK "${library}" "${to}/${name}" SYMBOLIC)
  endforeach()
  if(NOT EXISTS "${to}/oclc_isa_version_1100.bc")
    file(WRITE "${to}/isa.c" "const __attribute__((address_space(4))) int __oclc_ISA_version = 11000;\n")
    execute_process(OUTPUT_QUIET ERROR_QUIET
      COMMAND "${compiler}" -x c --target=amdgcn-amd-amdhsa -nogpulib -O1 -emit-llvm -c "${to}/isa.c"
              -o "${to}/oclc_isa_version_1100.bc")
  endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND TO)
  isofold_link_device_libraries("${FROM}" "${TO}" "${COMPILER}")
endif()

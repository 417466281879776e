# A consumer by pkg-config: cmake -DPREFIX=... -DLIBRARY_FOLDER=... -DCOMPILER=... -DBINARY=... -P
set(folder "${PREFIX}/${LIBRARY_FOLDER}")
set(ENV{PKG_CONFIG_PATH} "${folder}/pkgconfig")
execute_process(COMMAND pkg-config --cflags --libs isofold
                OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "pkg-config --cflags --libs isofold: ${flags}")
separate_arguments(flags UNIX_COMMAND "${flags}")
get_filename_component(repository "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
file(MAKE_DIRECTORY "${BINARY}")
execute_process(COMMAND "${COMPILER}" -std=c++17 -O1 "${CMAKE_CURRENT_LIST_DIR}/check.cpp" ${flags}
                        "-Wl,-rpath,${folder}" -o "${BINARY}/check" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${BINARY}/check" "${repository}/docs/tree.md" COMMAND_ERROR_IS_FATAL ANY)

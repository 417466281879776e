# A package of fpm over the installed isofold: cmake -DFPM=... -DSTAGE=... -DSOURCE=... -DBINARY=... -P
cmake_minimum_required(VERSION 3.20...3.25)
file(REMOVE_RECURSE "${BINARY}")
file(COPY "${SOURCE}/app" DESTINATION "${BINARY}")
file(RELATIVE_PATH ISOFOLD "${BINARY}" "${STAGE}/share/isofold/fortran")  # fpm takes relative paths alone
configure_file("${SOURCE}/fpm.toml.in" "${BINARY}/fpm.toml" @ONLY)
set(libraries "${STAGE}/${LIBRARY_FOLDER}")
set(ENV{CPATH} "${STAGE}/include")
set(ENV{LIBRARY_PATH} "${libraries}")
set(ENV{LD_LIBRARY_PATH} "${libraries}")
execute_process(COMMAND "${FPM}" run --compiler "${COMPILER}" --flag "-O0" WORKING_DIRECTORY "${BINARY}"
                RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
message("${text}")
if(NOT code EQUAL 0 OR NOT text MATCHES "sum   7\\.4854708 1\\.")
  message(FATAL_ERROR "fpm ended with ${code}, or the sum is another one.")
endif()

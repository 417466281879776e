# Installs to one place and moves the tree to another: cmake -DBUILD=... -DFROM=... -DTO=... -P
file(REMOVE_RECURSE "${FROM}" "${TO}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${FROM}"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${FROM}" "${TO}")

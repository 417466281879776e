# An installed library to which a module is added: cmake -DBUILD=... -DTO=... -DLIBRARY_FOLDER=... -DMODULE=... -P
file(REMOVE_RECURSE "${TO}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${TO}"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(COPY "${MODULE}" DESTINATION "${TO}/${LIBRARY_FOLDER}")

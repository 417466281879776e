# The logs of examples/nccl by one GPU and by all that are here: one for each program.
#   cmake -DFOLDER=... -P
foreach(program heat3d_gpus poisson_cg_gpus)
  set(hashes "")
  foreach(gpus 1 0)  # 0: all
    set(log "${FOLDER}/${program}_${gpus}.log")
    execute_process(COMMAND ${FOLDER}/${program} --size 20 --steps 41 --gpus ${gpus} --log ${log}
                    RESULT_VARIABLE failed ERROR_VARIABLE error)
    if(error MATCHES "The GPUs cannot be counted: ")
      message(STATUS "skipped: no GPU: ${error}")
      return()
    elseif(failed)
      message(FATAL_ERROR "${program} --gpus ${gpus} ended with ${failed}: ${error}")
    endif()
    file(SHA256 "${log}" hash)
    list(APPEND hashes ${hash})
  endforeach()
  list(REMOVE_DUPLICATES hashes)
  list(LENGTH hashes different)
  if(NOT different EQUAL 1)
    message(FATAL_ERROR "${program} has ${different} different logs.")
  endif()
endforeach()

// RCCL's functions and names, as far as isofold/nccl.hpp uses them, for HIP's own streams: what
// RCCL documents, without RCCL. Programs are compiled with it, and never linked.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>

struct ncclComm;
using ncclComm_t = ncclComm*;
enum ncclResult_t { ncclSuccess = 0 };
enum ncclDataType_t { ncclInt64 = 4 };
enum ncclRedOp_t { ncclSum = 0, ncclMax = 2 };

extern "C" {
const char* ncclGetErrorString(ncclResult_t result);
ncclResult_t ncclGroupStart();
ncclResult_t ncclGroupEnd();
ncclResult_t ncclCommCount(const ncclComm_t comm, int* count);
ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int* device);
ncclResult_t ncclCommUserRank(const ncclComm_t comm, int* rank);
ncclResult_t ncclAllReduce(const void* sent, void* received, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, hipStream_t stream);
}

#include "profile.hpp"

#include <cstdio>

#include <isofold/detail/mpi/communicator.hpp>

namespace profile {
Counts counts;
}

using profile::counts;

extern "C" {

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  ++counts.collectives;
  return PMPI_Allreduce(in, out, count, type, op, comm);
}
int MPI_Iallreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  ++counts.collectives;
  ++counts.requests;
  return PMPI_Iallreduce(in, out, count, type, op, comm, request);
}
int MPI_Allgather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                  MPI_Datatype out_type, MPI_Comm comm) {
  ++counts.collectives;
  return PMPI_Allgather(in, in_count, in_type, out, out_count, out_type, comm);
}
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  ++counts.collectives;
  return PMPI_Bcast(data, count, type, root, comm);
}
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  ++counts.communicators;
  return PMPI_Comm_dup(comm, made);
}
int MPI_Comm_free(MPI_Comm* comm) {
  --counts.communicators;
  return PMPI_Comm_free(comm);
}
#if MPI_VERSION >= 4
int MPI_Allreduce_init(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  ++counts.requests;
  return PMPI_Allreduce_init(in, out, count, type, op, comm, info, request);
}
#endif
int MPI_Start(MPI_Request* request) {
  ++counts.collectives;
  return PMPI_Start(request);
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const int code = PMPI_Wait(request, status);
  counts.requests -= *request == MPI_REQUEST_NULL ? 1 : 0;
  return code;
}
int MPI_Request_free(MPI_Request* request) {
  --counts.requests;
  return PMPI_Request_free(request);
}
int MPI_Finalize() {
  if (counts.communicators != 0 || counts.requests != 0) {
    std::fprintf(stderr, "%ld communicators and %ld requests were not released.\n",
                 counts.communicators, counts.requests);
    PMPI_Abort(MPI_COMM_WORLD, 3);
  }
  return PMPI_Finalize();
}

}  // extern "C"

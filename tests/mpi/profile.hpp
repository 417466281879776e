// Counts of MPI's own functions, by its profiling interface: profile.cpp stands before the library
// in these programs. Communicators and requests that are not released fail at MPI_Finalize().
#pragma once

namespace profile {

struct Counts {
  long collectives = 0;    // messages among all ranks: allreduce, allgather, broadcast, of any kind
  long communicators = 0;  // that live
  long requests = 0;       // that live
};
extern Counts counts;

}  // namespace profile

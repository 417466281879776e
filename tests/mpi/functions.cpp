// The C functions, compiled once for the programs in C and Fortran beside it.
#include <isofold/mpi_functions.hpp>

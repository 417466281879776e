/* The C interface of isofold/mpi.hpp: reductions over the ranks of an MPI communicator, with the
 * same bits for any number of ranks and any decomposition. The library links no MPI, so these
 * functions are compiled with your program: one C++ file of it, compiled by mpicxx, has the line
 *
 *   #include <isofold/mpi_functions.hpp>
 *
 * and C, Fortran and others call them. docs/scale_out.md has the promises, costs and recipes, and a
 * Fortran module.
 *
 * Functions return an isofold_code; isofold_last_team_error() has its sentence. Functions that are
 * collective are called by all ranks in the same order, and return the same code on all of them. A
 * `reducer` of NULL is one of default options, which the team keeps. */
#ifndef ISOFOLD_MPI_H
#define ISOFOLD_MPI_H

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <isofold/isofold.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct isofold_team isofold_team;
typedef struct isofold_team_call isofold_team_call;

/* The place of a request's elements in the whole.
 *   box     a box (or an array) at `offsets` in a row-major box of `whole` extents; the request's
 *           layout has its own extents. Locations are indices of the whole box. Parts of all ranks
 *           must cover it once.
 *   list    element i has the global index indices[i] of `total`; in host memory.
 *   layers  row r of several is row first + r of `total` rows. */
enum isofold_part_kind {
  ISOFOLD_PART_none = 0,
  ISOFOLD_PART_box = 1,
  ISOFOLD_PART_list = 2,
  ISOFOLD_PART_layers = 3
};
typedef struct isofold_part {
  uint64_t size;      /* sizeof(isofold_part) */
  int32_t kind;       /* isofold_part_kind */
  int32_t dimensions; /* box: 1 to 8, those of the request */
  int64_t whole[ISOFOLD_MOST_DIMENSIONS];
  int64_t offsets[ISOFOLD_MOST_DIMENSIONS];
  const int64_t* indices; /* list */
  int64_t first;          /* layers */
  int64_t total;          /* list: elements of all ranks; layers: rows of all ranks */
} isofold_part;

/* The sentence of the last error of these functions in this thread; valid until the next one. */
const char* isofold_last_team_error(void);

/* Collective: makes a Team of a duplicate of `comm`. isofold_team_create_f() takes the handle that
 * Fortran has, an integer (comm%MPI_VAL of module mpi_f08). invalid_argument for MPI_COMM_NULL. */
int32_t isofold_team_create(MPI_Comm comm, isofold_team** team);
int32_t isofold_team_create_f(MPI_Fint comm, isofold_team** team);
/* Collective: releases it, before MPI_Finalize(). NULL is fine. */
void isofold_team_destroy(isofold_team* team);

/* Collective: `count` requests in one message. Each request is as for isofold_reduce(), with
 * `result` in host memory that has room for its rows, of layers for `total` rows. `parts` is NULL,
 * or has a part for each request. Requests need fold, type, definition and elements to be those
 * that isofold/mpi.hpp's Team has: sums of exact_v1, and folds that are free of order. Consecutive
 * requests of one input are read together if all their members but fold, result, second array and
 * parameters are equal. On an error no result is written. */
int32_t isofold_team_reduce(isofold_team* team, isofold_reducer* reducer,
                            const isofold_request* requests, const isofold_part* parts,
                            int32_t count);

/* Collective: one fold of one box, for callers to whom structs are a burden: `dimensions` (1 to 8)
 * extents and strides, in elements, of any sign; `data` points at the box's first element. A
 * Fortran array a(nx, ny, nz) has the extents nx, ny, nz and the strides 1, nx, nx * ny; its
 * interior begins at a(2, 2, 2), with extents less by 2 and the same strides. `definition` is an
 * isofold_definition; folds of one array, without parameters, and no locations. */
int32_t isofold_team_reduce_box(isofold_team* team, isofold_reducer* reducer, int32_t fold,
                                int32_t definition, int32_t type, const void* data,
                                int32_t dimensions, const int64_t* extents, const int64_t* strides,
                                void* result);

/* Collective: as isofold_team_reduce(), of which the messages are on their way when it returns. The
 * elements may change then; `result` is written by isofold_team_wait(), which is collective, too,
 * and ends the call in any case. An error of a rank comes from there. Ranks wait in one order. */
int32_t isofold_team_start(isofold_team* team, isofold_reducer* reducer,
                           const isofold_request* requests, const isofold_part* parts,
                           int32_t count, isofold_team_call** call);
int32_t isofold_team_wait(isofold_team_call* call);

/* Collective: a call that is made many times, by persistent requests where MPI has them. Requests,
 * layouts and parts are copied; elements, lists and results stay where they are. Each
 * isofold_team_restart() reads the elements and starts the message, each isofold_team_finish()
 * waits and writes the results. isofold_team_release() is collective; NULL is fine. */
int32_t isofold_team_prepare(isofold_team* team, isofold_reducer* reducer,
                             const isofold_request* requests, const isofold_part* parts,
                             int32_t count, isofold_team_call** call);
int32_t isofold_team_restart(isofold_team_call* call);
int32_t isofold_team_finish(isofold_team_call* call);
void isofold_team_release(isofold_team_call* call);

/* Collective: folds of tree v1 over an array of `total` elements, of which this rank has the
 * elements [first, first + length) of the requests: arrays that differ in fold and result alone.
 * The bits are those of the whole array reduced at once. `incomplete` for gaps, `overlap`. */
int32_t isofold_team_slice(isofold_team* team, isofold_reducer* reducer,
                           const isofold_request* requests, int32_t count, int64_t first,
                           int64_t total);

/* Collective with a call of the others (not a start): this rank cannot make it, and all ranks, this
 * one too, return `code` with this sentence. */
int32_t isofold_team_fail(isofold_team* team, int32_t code, const char* sentence);

#ifdef __cplusplus
}
#endif
#endif

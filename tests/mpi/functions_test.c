/* The functions of isofold/mpi.h from C99: results of a box cut into slabs, started and prepared
 * calls, slices, parts, and one error for all ranks. */
#include <isofold/mpi.h>
#include <stdio.h>
#include <string.h>

static int wrong = 0;
static void check(int condition, const char* what) {
  if (!condition) {
    fprintf(stderr, "%s: %s\n", what, isofold_last_team_error());
    wrong = 1;
  }
}

int main(int argc, char** argv) {
  int rank = 0, ranks = 1, i;
  double x[6] = {0}, sum = 0, most = 0;
  const int64_t extents[2] = {2, 3}, strides[2] = {1, 2};
  struct {
    double value;
    int64_t index;
  } at = {0, 0};
  isofold_team* team = NULL;
  isofold_reducer* reducer = NULL;
  isofold_team_call* call = NULL;
  isofold_request requests[2];
  isofold_part part;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (i = 0; i < 6; ++i) {
    x[i] = 6 * rank + i + 1;
  }
  check(isofold_team_create_f(MPI_Comm_c2f(MPI_COMM_WORLD), &team) == 0, "team");
  check(isofold_team_reduce_box(team, reducer, ISOFOLD_FOLD_sum, ISOFOLD_DEFINITION_exact_v1,
                                ISOFOLD_TYPE_f64, x, 2, extents, strides, &sum) == 0 &&
            sum == 3.0 * ranks * (6.0 * ranks + 1),
        "box");

  memset(requests, 0, sizeof requests);
  for (i = 0; i < 2; ++i) {
    requests[i].size = sizeof requests[i];
    requests[i].definition = ISOFOLD_DEFINITION_exact_v1;
    requests[i].type = ISOFOLD_TYPE_f64;
    requests[i].shape = ISOFOLD_SHAPE_array;
    requests[i].data = x;
    requests[i].rows = 1;
    requests[i].length = requests[i].stride = 6;
  }
  requests[0].fold = ISOFOLD_FOLD_sum;
  requests[0].result = &sum;
  requests[1].fold = ISOFOLD_FOLD_maximum;
  requests[1].result = &most;
  sum = 0;
  check(isofold_team_reduce(team, reducer, requests, NULL, 2) == 0 &&
            sum == 3.0 * ranks * (6.0 * ranks + 1) && most == 6.0 * ranks,
        "two requests");
  sum = 0;
  check(isofold_team_start(team, reducer, requests, NULL, 1, &call) == 0, "start");
  check(isofold_team_wait(call) == 0 && sum == 3.0 * ranks * (6.0 * ranks + 1), "wait");
  check(isofold_team_prepare(team, reducer, requests, NULL, 2, &call) == 0, "prepare");
  for (i = 0; i < 3; ++i) {
    x[0] = i;
    check(isofold_team_restart(call) == 0 && isofold_team_finish(call) == 0 &&
              sum == 3.0 * ranks * (6.0 * ranks + 1) + ranks * i - ranks * (3.0 * ranks - 2),
          "prepared");
  }
  isofold_team_release(call);

  memset(&part, 0, sizeof part);
  part.size = sizeof part;
  part.kind = ISOFOLD_PART_box;
  part.dimensions = 1;
  part.whole[0] = 6 * ranks;
  part.offsets[0] = 6 * rank;
  requests[0].fold = ISOFOLD_FOLD_argmax;
  requests[0].result = &at;
  check(isofold_team_reduce(team, reducer, requests, &part, 1) == 0 && at.value == 6.0 * ranks &&
            at.index == 6 * ranks - 1,
        "argmax");
  part.offsets[0] += rank == ranks - 1;
  check(isofold_team_reduce(team, reducer, requests, &part, 1) == ISOFOLD_invalid_argument,
        "a part outside");
  requests[0].fold = ISOFOLD_FOLD_product;
  requests[0].definition = ISOFOLD_DEFINITION_tree_v1;
  requests[0].result = &sum;
  for (i = 0; i < 6; ++i) {
    x[i] = i == 0 && rank == 0 ? 3 : 1;
  }
  check(isofold_team_slice(team, reducer, requests, 1, 6 * rank, 6 * ranks) == 0 && sum == 3,
        "slice");
  check(isofold_team_reduce(team, reducer, requests, NULL, 1) == ISOFOLD_unsupported &&
            strstr(isofold_last_team_error(), "team.slice") != NULL,
        "an order");
  check(isofold_team_fail(team, ISOFOLD_incomplete, "no data") == ISOFOLD_incomplete &&
            strstr(isofold_last_team_error(), "no data") != NULL,
        "a rank that leaves");
  isofold_team_destroy(team);
  if (rank == 0 && !wrong) {
    printf("C: right\n");
  }
  MPI_Finalize();
  return wrong;
}

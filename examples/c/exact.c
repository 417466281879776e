/* exact_v1: the real sum, rounded once. Partial results are 64-bit integers, which anything that
 * adds integers merges, in any order: here a loop, elsewhere MPI_Allreduce with MPI_SUM. */
#include <isofold/isofold.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int32_t code) {
  if (code != ISOFOLD_ok) {
    fprintf(stderr, "%s\n", isofold_last_error());
    exit(1);
  }
}

int main(void) {
  const double x[] = {1e300, 1.0, -1e300, 1e-300, 2.0, -1e-300};
  const int32_t words = isofold_exact_words(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f64);
  int64_t* const total = calloc((size_t)words, sizeof *total); /* zeros: no elements */
  int64_t* const part = calloc((size_t)words, sizeof *part);
  double sum = 0;
  isofold_reducer* reducer = NULL;
  isofold_options options;
  isofold_request request;
  int rank;
  int w;

  if (total == NULL || part == NULL) {
    return 1;
  }
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.device = -1;
  options.validate = 1;
  check(isofold_create(&options, &reducer));

  memset(&request, 0, sizeof request);
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_exact_v1;
  request.fold = ISOFOLD_FOLD_sum;
  request.type = ISOFOLD_TYPE_f64;
  request.shape = ISOFOLD_SHAPE_array;
  request.flags = ISOFOLD_BLOCKING | ISOFOLD_STATE; /* the words, without the rounding */
  request.rows = 1;
  request.length = request.stride = 2;
  request.result = part;
  for (rank = 2; rank >= 0; --rank) { /* in any order */
    request.data = x + 2 * rank;
    check(isofold_reduce(reducer, &request));
    for (w = 0; w < words; ++w) {
      total[w] += part[w];
    }
  }
  check(isofold_exact_finish(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f64, total, &sum));
  printf("sum %g from %d words\n", sum, words);

  isofold_destroy(reducer);
  free(total);
  free(part);
  return sum == 3.0 ? 0 : 1;
}

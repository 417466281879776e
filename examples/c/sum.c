/* A sum: a reducer, a request, a call. */
#include <isofold/isofold.h>
#include <stdio.h>

int main(void) {
  const double x[] = {0.1, 0.2, 0.3, 0.4};
  double sum = 0;
  isofold_reducer* reducer = NULL;
  const isofold_options options = {.size = sizeof options, .device = -1, .validate = 1};
  const isofold_request request = {.size = sizeof request,
                                   .definition = ISOFOLD_DEFINITION_tree_v1,
                                   .fold = ISOFOLD_FOLD_sum,
                                   .type = ISOFOLD_TYPE_f64,
                                   .shape = ISOFOLD_SHAPE_array,
                                   .flags = ISOFOLD_BLOCKING,
                                   .data = x,
                                   .rows = 1,
                                   .length = 4,
                                   .stride = 4,
                                   .result = &sum};
  if (isofold_create(&options, &reducer) != ISOFOLD_ok ||
      isofold_reduce(reducer, &request) != ISOFOLD_ok) {
    fprintf(stderr, "%s\n", isofold_last_error());
    return 1;
  }
  printf("sum %.17g on %s\n", sum, isofold_reducer_backend(reducer));
  isofold_destroy(reducer);
  return 0;
}

/* isofold.h read by a C compiler, and used as a C program would: plain data in, a code out. */
#include <isofold/isofold.h>

#include <stdio.h>
#include <string.h>

int isofold_c_program(char* message, size_t bytes);

int isofold_c_program(char* message, size_t bytes) {
  double x[3] = {1.0, 2.0, 4.0};
  double sum = 0.0;
  isofold_reducer* reducer = NULL;
  isofold_options options;
  isofold_request request;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.device = -1;
  options.validate = 1;
  memset(&request, 0, sizeof request);
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = ISOFOLD_FOLD_sum;
  request.type = ISOFOLD_TYPE_f64;
  request.shape = ISOFOLD_SHAPE_array;
  request.flags = ISOFOLD_BLOCKING;
  request.data = x;
  request.rows = 1;
  request.length = 3;
  request.stride = 3;
  request.result = &sum;
  if (isofold_create(&options, &reducer) != ISOFOLD_ok ||
      isofold_reduce(reducer, &request) != ISOFOLD_ok) {
    snprintf(message, bytes, "%s", isofold_last_error());
    return 1;
  }
  isofold_destroy(reducer);
  snprintf(message, bytes, "the sum was %g", sum);
  return sum == 7.0 ? 0 : 2;
}

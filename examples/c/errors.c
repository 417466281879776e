/* Errors: every function returns a code, and isofold_last_error() has the sentence. */
#include <isofold/isofold.h>
#include <stdio.h>

int main(void) {
  const float x[] = {1.0F, 2.0F};
  float minimum = 0;
  isofold_reducer* reducer = NULL;
  isofold_options options = {.size = sizeof options, .device = -1, .validate = 1};
  isofold_request request = {.size = sizeof request,
                             .definition = ISOFOLD_DEFINITION_tree_v1,
                             .fold = ISOFOLD_FOLD_minimum,
                             .type = ISOFOLD_TYPE_f32,
                             .shape = ISOFOLD_SHAPE_array,
                             .flags = ISOFOLD_BLOCKING,
                             .data = x,
                             .rows = 1,
                             .result = &minimum};
  int32_t code;

  options.backend = "cuda";
  code = isofold_create(&options, &reducer);
  if (code == ISOFOLD_backend_unavailable) {
    printf("cuda is not here: %s.\n", isofold_backend_reason("cuda"));
  }
  isofold_destroy(reducer); /* NULL is fine */

  reducer = NULL;
  options.backend = NULL; /* by where the data lie */
  if (isofold_create(&options, &reducer) != ISOFOLD_ok) {
    fprintf(stderr, "%s\n", isofold_last_error());
    return 1;
  }
  code = isofold_reduce(reducer, &request); /* length 0 */
  printf("%s: %s\n", isofold_code_name(code), isofold_last_error());

  request.length = -2;
  code = isofold_reduce(reducer, &request);
  printf("%s: %s\n", isofold_code_name(code), isofold_last_error());

  request.length = request.stride = 2; /* the reducer goes on after errors */
  code = isofold_reduce(reducer, &request);
  printf("%s: minimum %g\n", isofold_code_name(code), (double)minimum);
  isofold_destroy(reducer);
  return code;
}

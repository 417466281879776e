/* A consumer in C, C99 and later: the C ABI alone. */
#include <isofold/isofold.h>
#include <stdio.h>
#include <string.h>

enum { count = 1000 };

static float element(uint64_t i) {
  uint64_t s = (i + 1) * 0x9E3779B97F4A7C15U;
  s = (s ^ (s >> 30)) * 0xBF58476D1CE4E5B9U;
  s = (s ^ (s >> 27)) * 0x94D049BB133111EBU;
  s ^= s >> 31;
  return (float)(int32_t)(s >> 32) / 2147483648.0F;
}

int main(void) {
  static float x[count];
  float sum = 0;
  uint32_t bits = 0;
  isofold_options options;
  isofold_request request;
  isofold_reducer* reducer = NULL;
  uint64_t i;

  for (i = 0; i < count; ++i) {
    x[i] = element(i);
  }
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.device = -1;
  if (isofold_create(&options, &reducer) != ISOFOLD_ok) {
    printf("isofold_create: %s\n", isofold_last_error());
    return 1;
  }
  memset(&request, 0, sizeof request);
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = ISOFOLD_FOLD_sum;
  request.type = ISOFOLD_TYPE_f32;
  request.shape = ISOFOLD_SHAPE_array;
  request.flags = ISOFOLD_BLOCKING;
  request.data = x;
  request.rows = 1;
  request.length = count;
  request.stride = count;
  request.result = &sum;
  if (isofold_reduce(reducer, &request) != ISOFOLD_ok) {
    printf("isofold_reduce: %s\n", isofold_last_error());
    return 1;
  }
  memcpy(&bits, &sum, sizeof bits);
  printf("isofold %s, %s: 0x%08lx\n", isofold_version(), isofold_reducer_backend(reducer),
         (unsigned long)bits);

  request.length = -1;
  if (isofold_reduce(reducer, &request) != ISOFOLD_invalid_argument) {
    printf("A negative count should be refused.\n");
    return 1;
  }
  isofold_destroy(reducer);
  return bits == 0x419727aaU ? 0 : 1; /* docs/tree.md, n = 1000 */
}

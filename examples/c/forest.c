/* A Forest: two processes have parts of one array, and the sum has the bits of the whole. The bytes
 * between them may go through a file or a message. */
#include <isofold/isofold.h>
#include <stdio.h>
#include <stdlib.h>

enum { count = 10000, cut = 3777 };

static void check(int32_t code) {
  if (code != ISOFOLD_ok) {
    fprintf(stderr, "%s\n", isofold_last_error());
    exit(1);
  }
}

int main(void) {
  static double x[count];
  double sum = 0;
  isofold_forest* here = NULL;
  isofold_forest* there = NULL;
  isofold_forest* received = NULL;
  size_t bytes = isofold_forest_max_bytes(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f64);
  void* const message = malloc(bytes);
  int i;

  if (message == NULL) {
    return 1;
  }
  for (i = 0; i < count; ++i) {
    x[i] = 1.0 / (1 + i);
  }
  check(isofold_forest_create(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f64, count, &here));
  check(isofold_forest_create(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f64, count, &there));
  check(isofold_forest_add(here, NULL, x, 0, cut)); /* NULL: a reducer of the library's own */
  check(isofold_forest_add(there, NULL, x + cut, cut, count - cut));

  check(isofold_forest_to_bytes(there, message, &bytes));
  check(isofold_forest_from_bytes(message, bytes, &received));
  check(isofold_forest_merge(here, received));
  check(isofold_forest_finish(here, &sum));
  printf("sum %.17g, from %lu bytes\n", sum, (unsigned long)bytes);

  isofold_forest_destroy(here);
  isofold_forest_destroy(there);
  isofold_forest_destroy(received);
  free(message);
  return 0;
}

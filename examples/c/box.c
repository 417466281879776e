/* A field with ghost cells: the sum of its interior, the mean of each plane under a mask, and the
 * cell where the maximum is. */
#include <inttypes.h>
#include <isofold/isofold.h>
#include <stdio.h>
#include <string.h>

enum { nz = 4, ny = 5, nx = 6, row = nx + 2, plane = (ny + 2) * row };

typedef struct Location { /* a result of argmax over f64 */
  double value;
  int64_t index;
} Location;

static int failed(int32_t code) {
  if (code != ISOFOLD_ok) {
    fprintf(stderr, "%s: %s\n", isofold_code_name(code), isofold_last_error());
  }
  return code != ISOFOLD_ok;
}

int main(void) {
  static double cells[(nz + 2) * plane];
  static uint8_t is_fluid[nz * ny * nx];
  double* const interior = cells + plane + row + 1; /* index (0, 0, 0), behind the ghost cells */
  double heat = 0;
  double profile[nz];
  Location hottest;
  const void* address = NULL;
  isofold_reducer* reducer = NULL;
  isofold_options options;
  isofold_layout layout;
  isofold_request request;
  int64_t number;
  int i;

  for (i = 0; i < (nz + 2) * plane; ++i) {
    cells[i] = 1000; /* ghost cells may hold anything */
  }
  for (i = 0; i < nz * ny * nx; ++i) {
    interior[i / (ny * nx) * plane + i / nx % ny * row + i % nx] = 1.0 / (1 + i * 7 % 31);
    is_fluid[i] = i % 3 != 0;
  }

  memset(&options, 0, sizeof options); /* whatever is not named is 0 */
  options.size = sizeof options;
  options.device = -1;
  options.validate = 1;
  if (failed(isofold_create(&options, &reducer))) {
    return 1;
  }

  memset(&layout, 0, sizeof layout);
  layout.size = sizeof layout;
  layout.dimensions = 3;
  layout.extents[0] = nz;
  layout.extents[1] = ny;
  layout.extents[2] = nx;
  layout.strides[0] = plane;
  layout.strides[1] = row;
  layout.strides[2] = 1;
  memset(&request, 0, sizeof request);
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = ISOFOLD_FOLD_sum;
  request.type = ISOFOLD_TYPE_f64;
  request.shape = ISOFOLD_SHAPE_box;
  request.flags = ISOFOLD_BLOCKING;
  request.data = interior;
  request.rows = 1;
  request.length = nz * ny * nx;
  request.layout = &layout;
  request.result = &heat;
  if (failed(isofold_reduce(reducer, &request))) {
    return 1;
  }

  layout.mask = is_fluid; /* a byte for each cell of the box, not of the whole array */
  layout.mask_type = ISOFOLD_MASK_bytes;
  request.fold = ISOFOLD_FOLD_argmax;
  request.result = &hottest;
  if (failed(isofold_reduce(reducer, &request)) ||
      failed(isofold_address_of(&request, 0, hottest.index, &address))) {
    return 1;
  }

  layout.kept = 1; /* bit 0: a result for each index of dimension 0 */
  request.fold = ISOFOLD_FOLD_mean;
  request.rows = nz;
  request.length = ny * nx;
  request.result = profile;
  if (failed(isofold_reduce(reducer, &request))) {
    return 1;
  }
  isofold_destroy(reducer);

  number = (const double*)address - interior;
  printf("heat %.15g\nhottest %.15g in cell (%" PRId64 ", %" PRId64 ", %" PRId64 ")\n", heat,
         hottest.value, number / plane, number % plane / row, number % row);
  for (i = 0; i < nz; ++i) {
    printf("plane %d: mean %.15g\n", i, profile[i]);
  }
  return 0;
}

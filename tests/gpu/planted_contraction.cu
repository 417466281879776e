// A control for check_device_code.py, compiled with --fmad=true: a sum of products that is
// contracted.
__global__ void contracted(const float* x, const float* y, float* sum) {
  float total = 0;
  for (int i = 0; i < 64; ++i) {
    total += x[i] * y[i];
  }
  *sum = total;
}

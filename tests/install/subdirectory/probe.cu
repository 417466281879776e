// a·b + c in f32 and f64: contraction would make an fma of it, flushing would mark it .ftz.
__global__ void probe(float* x, double* y) {
  x[0] = x[1] * x[2] + x[3];
  y[0] = y[1] * y[2] + y[3];
}

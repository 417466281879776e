// Conjugate gradients for a line of springs: scalars, and so iterations, are the same on any
// machine.
#include <cstddef>
#include <cstdio>
#include <vector>

#include <isofold/isofold.hpp>

int main() {
  const std::size_t n = 1000;
  std::vector<double> x(n);
  std::vector<double> r(n, 1.0);
  std::vector<double> p = r;
  std::vector<double> q(n);
  isofold::Reducer reduce;
  double rho = reduce.dot(r, r);
  int iterations = 0;
  while (rho > 1e-20 && iterations < 2000) {
    for (std::size_t i = 0; i < n; ++i) {
      q[i] = 2.5 * p[i] - (i > 0 ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0);
    }
    const double alpha = rho / reduce.dot(p, q);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double next = reduce.dot(r, r);
    for (std::size_t i = 0; i < n; ++i) {
      p[i] = r[i] + next / rho * p[i];
    }
    rho = next;
    ++iterations;
  }
  std::printf("%d iterations, |x| %.17g\n", iterations, reduce.norm2(x));
}

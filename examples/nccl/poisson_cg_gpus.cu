// Conjugate gradients over GPUs: the solver of examples/mpi/poisson_cg, whose log this is, to the
// bit, for any number of GPUs and any grid of blocks. Dot products, and the scalars that follow
// from them, stay on the devices: the host enqueues all steps and waits once.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "../mpi/poisson.hpp"
#include "fields.hpp"

namespace {

using isofold::nccl::request;

// A GPU's own copy of the solver's scalars, which all GPUs have alike.
struct Scalars {
  double rho, first, alpha, beta;
  std::int64_t steps;
  std::int64_t is_done;
};

__global__ void begin(Scalars* s, const double* rr) { *s = {*rr, *rr, 0, 0, 0, 0}; }
// Logs the residual, and stops where it is small: later kernels then change nothing.
__global__ void look(Scalars* s, double* history) {
  s->is_done |= s->rho > 1e-24 * s->first ? 0 : 1;
  if (s->is_done == 0) {
    history[s->steps++] = std::sqrt(s->rho);
  }
}
__global__ void set_alpha(Scalars* s, const double* pq) { s->alpha = s->rho / *pq; }
__global__ void set_beta(Scalars* s, const double* rr) {
  if (s->is_done == 0) {
    s->beta = *rr / s->rho;
    s->rho = *rr;
  }
}

struct Start {
  Cells r, p;
  Origin at;
  __device__ void operator()(std::int64_t k, std::int64_t j, std::int64_t i) const {
    r(k, j, i) = p(k, j, i) = source(at.z + k, at.y + j, at.x + i);
  }
};
struct Multiply {
  Cells p, q;
  __device__ void operator()(std::int64_t k, std::int64_t j, std::int64_t i) const {
    q(k, j, i) = matrix_row(p, k, j, i);
  }
};
struct Correct {
  Cells u, r, p, q;
  const Scalars* s;
  __device__ void operator()(std::int64_t k, std::int64_t j, std::int64_t i) const {
    if (s->is_done == 0) {
      u(k, j, i) += s->alpha * p(k, j, i);
      r(k, j, i) -= s->alpha * q(k, j, i);
    }
  }
};
struct Direct {
  Cells r, p;
  const Scalars* s;
  __device__ void operator()(std::int64_t k, std::int64_t j, std::int64_t i) const {
    if (s->is_done == 0) {
      p(k, j, i) = r(k, j, i) + s->beta * p(k, j, i);
    }
  }
};

void solve(const Settings& settings, const Gpus& gpus) {
  const Triple grid = grid_for(settings, gpus);
  Field u(gpus, settings.size, grid), r(gpus, settings.size, grid), p(gpus, settings.size, grid),
      q(gpus, settings.size, grid);
  History residuals(gpus, settings.steps + 1, 1);
  std::vector<DeviceDoubles> scalars;
  for (const Gpu& gpu : gpus.own()) {
    scalars.emplace_back(gpu, static_cast<std::int64_t>(sizeof(Scalars) / sizeof(double)));
  }
  isofold::nccl::Team team(gpus.members());
  const auto dot_of = [&](const Field& x, const Field& y) {
    return team.prepare_each([&](int g) {
      const auto gpu = static_cast<std::size_t>(g);
      return std::tuple(request(isofold::dot, exact(x.own(gpu)), exact(y.own(gpu))));
    });
  };
  const auto on_all = [&](auto&& use) {
    for (std::size_t g = 0; g < gpus.own().size(); ++g) {
      const Gpu& gpu = gpus.own()[g];
      gpu.use();
      use(gpu, g, reinterpret_cast<Scalars*>(scalars[g].data()));
      check(cudaGetLastError(), "A kernel was not launched");
    }
  };
  on_all([&](const Gpu& gpu, std::size_t g, Scalars*) {
    for_each_cell(gpu, r.cells(g), Start{r.cells(g), p.cells(g), r.origin(g)});
  });
  auto rr = dot_of(r, r);
  auto pq = dot_of(p, q);
  rr.enqueue();
  on_all([&](const Gpu& gpu, std::size_t g, Scalars* s) {
    begin<<<1, 1, 0, gpu.stream>>>(s, rr.on_device<double>(static_cast<int>(g)));
  });
  for (std::int64_t step = 0; step < settings.steps; ++step) {
    p.fill_ghost_cells(value_behind_a_wall);
    on_all([&](const Gpu& gpu, std::size_t g, Scalars* s) {
      look<<<1, 1, 0, gpu.stream>>>(s, residuals.on(g));
      for_each_cell(gpu, p.cells(g), Multiply{p.cells(g), q.cells(g)});
    });
    pq.enqueue();
    on_all([&](const Gpu& gpu, std::size_t g, Scalars* s) {
      set_alpha<<<1, 1, 0, gpu.stream>>>(s, pq.on_device<double>(static_cast<int>(g)));
      for_each_cell(gpu, u.cells(g), Correct{u.cells(g), r.cells(g), p.cells(g), q.cells(g), s});
    });
    rr.enqueue();
    on_all([&](const Gpu& gpu, std::size_t g, Scalars* s) {
      set_beta<<<1, 1, 0, gpu.stream>>>(s, rr.on_device<double>(static_cast<int>(g)));
      for_each_cell(gpu, p.cells(g), Direct{r.cells(g), p.cells(g), s});
    });
  }
  rr.check();

  Scalars last{};
  gpus.own().front().use();
  check(cudaMemcpy(&last, scalars.front().data(), sizeof last, cudaMemcpyDeviceToHost),
        "cudaMemcpy");
  Log log(settings.log, gpus.own().front().rank == 0);
  const auto rows = residuals.read();
  for (std::int64_t step = 0; step < last.steps; ++step) {
    log.write(step, rows[static_cast<std::size_t>(step)]);
  }
  log.write(-1, {std::sqrt(last.rho)});
}

}  // namespace

int main(int count, char** arguments) {
  return run_on_gpus(count, arguments, {32, 200, "", ""}, solve);
}

// heat3d over GPUs: the simulation of examples/mpi/heat3d_ranks, whose log this is, to the bit, for
// any number of GPUs and any grid of blocks. Two time steps are one CUDA graph on each GPU: the sum
// and the extrema of all GPUs, the time step that follows from them, ghost cells and the stencil.
// The host waits for none of it.
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "../mpi/heat.hpp"
#include "fields.hpp"

namespace {

using isofold::nccl::request;

// A GPU's own copy of the time, which all GPUs have alike.
struct Clock {
  double time;
  double factor;  // of this step: its length times n²
  std::int64_t step;
};

// Logs the state of this step, and moves the clock on.
__global__ void tick(Clock* clock, double* history, double n, const double* heat,
                     const double* coldest, const double* hottest) {
  double* const row = history + 4 * clock->step;
  row[0] = clock->time;
  row[1] = *heat;
  row[2] = *coldest;
  row[3] = *hottest;
  const double dt = time_step(n, *hottest);
  clock->factor = dt * n * n;
  clock->time += dt;
  ++clock->step;
}

struct Ignite {
  Cells cells;
  Origin at;
  __device__ void operator()(std::int64_t k, std::int64_t j, std::int64_t i) const {
    cells(k, j, i) = first_temperature(at.n, at.z + k - 1, at.y + j - 1, at.x + i - 1);
  }
};
struct Advance {
  Cells now;
  Cells next;
  const Clock* clock;
  __device__ void operator()(std::int64_t k, std::int64_t j, std::int64_t i) const {
    next(k, j, i) = next_temperature(now, k, j, i, clock->factor);
  }
};

class Simulation {
 public:
  Simulation(const Gpus& gpus, const Settings& settings)
      : gpus_(gpus),
        team_(gpus.members()),
        n_(settings.size),
        fields_{Field(gpus, n_, grid_for(settings, gpus)),
                Field(gpus, n_, grid_for(settings, gpus))},
        history_(gpus, settings.steps + 1, 4) {
    for (std::size_t g = 0; g < gpus.own().size(); ++g) {
      const Gpu& gpu = gpus.own()[g];
      clocks_.emplace_back(gpu, static_cast<std::int64_t>(sizeof(Clock) / sizeof(double)));
      for_each_cell(gpu, fields_[0].cells(g), Ignite{fields_[0].cells(g), fields_[0].origin(g)});
    }
  }

  void run(const Settings& settings) {
    const auto look_at = [&](const Field& field) {
      return team_.prepare_each([&](int g) {
        return std::tuple(request(fuse(exact(isofold::sum), isofold::minimum, isofold::maximum),
                                  field.own(static_cast<std::size_t>(g))));
      });
    };
    auto even = look_at(fields_[0]);
    auto odd = look_at(fields_[1]);  // full of zeros as yet
    auto planes = team_.prepare_each([&](int g) {
      const auto gpu = static_cast<std::size_t>(g);
      return std::tuple(
          request(isofold::sum, exact(isofold::nccl::layers(over(fields_[0].own(gpu), {1, 2}),
                                                            fields_[0].origin(gpu).z, n_))));
    });
    std::map<std::int64_t, std::vector<double>> profiles;
    const std::vector<cudaGraphExec_t> two_steps = capture([&] {
      advance(even, 0);
      advance(odd, 1);
    });
    for (std::int64_t step = 0; step < settings.steps; step += 2) {
      if (step % 20 == 0) {
        planes.enqueue();
        profiles[step] = planes.results();
      }
      if (step + 1 == settings.steps) {
        advance(even, 0);
        break;
      }
      for (std::size_t g = 0; g < two_steps.size(); ++g) {
        gpus_.own()[g].use();
        check(cudaGraphLaunch(two_steps[g], gpus_.own()[g].stream), "cudaGraphLaunch");
      }
    }
    look(settings.steps % 2 == 0 ? even : odd);
    if (settings.steps % 20 == 0) {
      planes.enqueue();
      profiles[settings.steps] = planes.results();
    }
    even.check();
    for (const cudaGraphExec_t graph : two_steps) {
      cudaGraphExecDestroy(graph);
    }
    write_log(settings.log, profiles);
  }

 private:
  template <class Look>
  void look(Look& prepared) {
    prepared.enqueue();
    for (std::size_t g = 0; g < gpus_.own().size(); ++g) {
      const auto result = [&](int number) {
        return prepared.template on_device<double>(static_cast<int>(g), number);
      };
      gpus_.own()[g].use();
      tick<<<1, 1, 0, gpus_.own()[g].stream>>>(clock(g), history_.on(g), static_cast<double>(n_),
                                               result(0), result(1), result(2));
      check(cudaGetLastError(), "A kernel was not launched");
    }
  }
  template <class Look>
  void advance(Look& prepared, std::size_t from) {
    look(prepared);
    fields_[from].fill_ghost_cells(1.0);  // insulated walls
    for (std::size_t g = 0; g < gpus_.own().size(); ++g) {
      for_each_cell(gpus_.own()[g], fields_[from].cells(g),
                    Advance{fields_[from].cells(g), fields_[1 - from].cells(g), clock(g)});
    }
  }
  template <class Body>
  std::vector<cudaGraphExec_t> capture(Body&& body) const {
    for (const Gpu& gpu : gpus_.own()) {
      gpu.use();
      check(cudaStreamSynchronize(gpu.stream), "cudaStreamSynchronize");
      check(cudaStreamBeginCapture(gpu.stream, cudaStreamCaptureModeRelaxed), "The capture");
    }
    body();
    std::vector<cudaGraphExec_t> graphs;
    for (const Gpu& gpu : gpus_.own()) {
      cudaGraph_t graph = nullptr;
      gpu.use();
      check(cudaStreamEndCapture(gpu.stream, &graph), "The end of the capture");
      graphs.emplace_back();
      check(cudaGraphInstantiate(&graphs.back(), graph, 0), "cudaGraphInstantiate");
      cudaGraphDestroy(graph);
    }
    return graphs;
  }
  void write_log(const std::string& path,
                 const std::map<std::int64_t, std::vector<double>>& profiles) const {
    Log log(path, gpus_.own().front().rank == 0);
    const auto rows = history_.read();
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto step = static_cast<std::int64_t>(row);
      log.write(step, rows[row]);
      const auto profile = profiles.find(step);
      if (profile != profiles.end()) {
        log.write(step, profile->second);
      }
    }
  }
  [[nodiscard]] Clock* clock(std::size_t gpu) const {
    return reinterpret_cast<Clock*>(clocks_[gpu].data());
  }

  const Gpus& gpus_;
  isofold::nccl::Team team_;
  std::int64_t n_;
  Field fields_[2];
  History history_;
  std::vector<DeviceDoubles> clocks_;
};

}  // namespace

int main(int count, char** arguments) {
  return run_on_gpus(
      count, arguments, {48, 100, "", ""},
      [](const Settings& settings, const Gpus& gpus) { Simulation(gpus, settings).run(settings); });
}

// The GPUs that this process has of a group: communicators, streams, Reducers; and their Team.
#pragma once

#include <cuda_runtime.h>

#include <isofold/nccl.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../mpi/block.hpp"
#include "../mpi/log.hpp"

inline void check(cudaError_t code, const char* what) {
  if (code != cudaSuccess) {
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code));
  }
}
inline void check(ncclResult_t code, const char* what) {
  if (code != ncclSuccess) {
    throw std::runtime_error(std::string(what) + ": " + ncclGetErrorString(code));
  }
}

// One process with all GPUs of the group, or the processes 0 to `processes` - 1 with one each,
// which meet by a file that the first one writes, and that is not there before. (A code with MPI
// sends the id by MPI_Bcast.)
struct Group {
  int gpus = 0;  // 0: all that there are
  int processes = 1;
  int process = 0;
  std::string id_file;

  bool read(const std::string& option, const std::string& value) {
    if (option == "--gpus") {
      gpus = std::stoi(value);
    } else if (option == "--processes") {
      processes = std::stoi(value);
    } else if (option == "--process") {
      process = std::stoi(value);
    } else if (option == "--id") {
      id_file = value;
    } else {
      return false;
    }
    return true;
  }
};

struct Gpu {
  int device;
  int rank;
  ncclComm_t comm;
  cudaStream_t stream;
  std::unique_ptr<isofold::Reducer> reducer;
  void use() const { check(cudaSetDevice(device), "cudaSetDevice"); }
};

class Gpus {
 public:
  explicit Gpus(const Group& group) {
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "The GPUs cannot be counted");
    const bool has_one = group.processes > 1;
    const int count = has_one ? 1 : group.gpus > 0 ? group.gpus : devices;
    if (count > devices || group.process >= devices) {
      throw std::runtime_error("There are " + std::to_string(devices) + " GPUs here, too few.");
    }
    std::vector<ncclComm_t> comms(static_cast<std::size_t>(count));
    if (has_one) {
      check(cudaSetDevice(group.process), "cudaSetDevice");
      check(ncclCommInitRank(comms.data(), group.processes, id_of(group), group.process),
            "ncclCommInitRank");
    } else {
      check(ncclCommInitAll(comms.data(), count, nullptr), "ncclCommInitAll");
    }
    size_ = has_one ? group.processes : count;
    for (int g = 0; g < count; ++g) {
      Gpu gpu{has_one ? group.process : g, has_one ? group.process : g,
              comms[static_cast<std::size_t>(g)], nullptr, nullptr};
      gpu.use();
      check(cudaStreamCreateWithFlags(&gpu.stream, cudaStreamNonBlocking), "cudaStreamCreate");
      gpu.reducer = std::make_unique<isofold::Reducer>(isofold::Backend::cuda,
                                                       isofold::Options{}.device(gpu.device));
      own_.push_back(std::move(gpu));
    }
  }
  ~Gpus() {
    for (Gpu& gpu : own_) {
      gpu.reducer.reset();
      ncclCommDestroy(gpu.comm);
      cudaStreamDestroy(gpu.stream);
    }
  }
  Gpus(const Gpus&) = delete;
  Gpus& operator=(const Gpus&) = delete;

  [[nodiscard]] const std::vector<Gpu>& own() const { return own_; }
  [[nodiscard]] int size() const { return size_; }  // of the whole group
  [[nodiscard]] std::vector<isofold::nccl::Member> members() const {
    std::vector<isofold::nccl::Member> all;
    for (const Gpu& gpu : own_) {
      all.push_back({gpu.comm, gpu.reducer.get(), gpu.stream});
    }
    return all;
  }

 private:
  static ncclUniqueId id_of(const Group& group) {
    ncclUniqueId id;
    if (group.process == 0) {
      check(ncclGetUniqueId(&id), "ncclGetUniqueId");
      std::ofstream(group.id_file + ".new", std::ios::binary)
          .write(id.internal, sizeof id.internal);
      std::rename((group.id_file + ".new").c_str(), group.id_file.c_str());
      return id;
    }
    for (;;) {
      std::ifstream file(group.id_file, std::ios::binary);
      if (file.read(id.internal, sizeof id.internal)) {
        return id;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  std::vector<Gpu> own_;
  int size_ = 0;
};

// Runs simulate(settings, gpus); an error ends the program with a sentence.
template <class Simulate>
int run_on_gpus(int count, char** arguments, const Settings& defaults, Simulate&& simulate) {
  try {
    Group group;
    const Settings settings =
        read_arguments(count, arguments, defaults, ", --gpus, --processes, --process, --id",
                       [&](const std::string& option, const std::string& value) {
                         return group.read(option, value);
                       });
    const Gpus gpus(group);
    simulate(settings, gpus);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

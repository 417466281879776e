// The OpenMP backend: chooses the instruction set once, threads and address streams for each call.
// The loops are in row_loop.hpp (rows, threads) and block_fold.hpp (vectors).
#include <omp.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <memory>
#include <new>

#include "exact_loop.hpp"
#include "loop.hpp"
#include <api/float_environment.hpp>
#include <backend/host_backend.hpp>
#include <isofold/detail/core/fold.hpp>
#include <isofold/detail/core/tree.hpp>
#include <isofold/detail/cpu/team.hpp>
#include <layout/memory_order.hpp>
#include <layout/rows_in_memory.hpp>
#include <ops/exact_cases.hpp>
#include <request/converted_elements.hpp>

namespace isofold {
namespace {

using isofold_openmp::one_stream;
using isofold_openmp::Plan;
using isofold_openmp::prefetched;
using isofold_openmp::two_streams;
using isofold_openmp::VectorFold;
using isofold_openmp::VectorFolds;

#if defined(__x86_64__)
// Features that the processor reports and that not every compiler's __builtin_cpu_supports knows;
// zeros where it reports nothing.
struct Leaf1 {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
};
Leaf1 leaf_1() {
  Leaf1 leaf;
  __get_cpuid(1, &leaf.eax, &leaf.ebx, &leaf.ecx, &leaf.edx);
  return leaf;
}
#endif

// Every instruction set that this machine has, the widest last.
#define ISOFOLD_FILL(set, group) \
  isofold_openmp::fill_##set##_##group(sets_[count_], count_ > 0 ? &sets_[count_ - 1] : nullptr);
class InstructionSets {
 public:
  InstructionSets() {
    ISOFOLD_TYPE_GROUPS(ISOFOLD_FILL, baseline)
    ++count_;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        (leaf_1().ecx & bit_F16C) != 0) {
      ISOFOLD_TYPE_GROUPS(ISOFOLD_FILL, avx2)
      ++count_;
      if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        ISOFOLD_TYPE_GROUPS(ISOFOLD_FILL, avx512)
        ++count_;
      }
    }
#endif
  }
  const VectorFolds& widest() const { return sets_[count_ - 1]; }
  // nullptr where the machine has none of that width.
  const VectorFolds* of_width(int vector_bits) const {
    for (int i = 0; i < count_; ++i) {
      if (sets_[i].vector_bits == vector_bits) {
        return &sets_[i];
      }
    }
    return nullptr;
  }

 private:
  int count_ = 0;
  VectorFolds sets_[3];
};
#undef ISOFOLD_FILL

const InstructionSets& instruction_sets() {
  static const InstructionSets sets;
  return sets;
}

// The bytes of input from which another way pays: docs/decisions/033-cpu-when-threads-pay.md.
constexpr std::int64_t threads_pay = std::int64_t{1} << 20;
constexpr std::int64_t slabs_pay = std::int64_t{1} << 16;    // elements: fewer are in caches
constexpr std::int64_t streams_pay = std::int64_t{2} << 20;  // of a thread; past the L2 of a core

constexpr Plan alone{1, one_stream, nullptr};  // one thread, one stream

// How data come from memory, by vectors of 512 bits: prefetched, as a Zen 5 and a Xeon want it; not
// on a Zen 4, the only one of AMD's before family 26 that has such vectors.
int streams_from_memory() {
#if defined(__x86_64__)
  constexpr unsigned zen5 = 26;
  const unsigned version = leaf_1().eax;
  const unsigned family = (version >> 8 & 0xfU) + (version >> 20 & 0xffU);
  return __builtin_cpu_is("amd") != 0 && family < zen5 ? two_streams : prefetched;
#else
  return two_streams;
#endif
}

// Memory that grows and is kept between calls.
class KeptMemory {
 public:
  // Null: there is not so much, and none is kept.
  void* take(std::size_t bytes) {
    if (bytes > bytes_) {
      memory_.reset();
      memory_.reset(new (std::nothrow) unsigned char[bytes]);
      bytes_ = memory_ != nullptr ? bytes : 0;
    }
    return memory_.get();
  }

 private:
  std::unique_ptr<unsigned char[]> memory_;
  std::size_t bytes_ = 0;
};

class OpenmpInstance final : public backend_interface::Instance {
 public:
  explicit OpenmpInstance(int most_threads)
      : most_threads_(most_threads), folds_(&instruction_sets().widest()) {}
  ~OpenmpInstance() override { ::operator delete(runs_); }

  std::int32_t reduce(const isofold_request& request,
                      backend_interface::Report& report) noexcept override {
    // Elements have at most 16 bytes: below this count no choice is to be made.
    const bool plain = request.rows * request.length < threads_pay / 16 &&
                       request.schedule == nullptr && request.ran == nullptr &&
                       request.layout == nullptr && !is_exact(request);
    if (__builtin_expect(!plain && is_exact(request), 0)) {
      return reduce_exactly(&request, 1, report);
    }
    if (__builtin_expect(!plain, 0)) {
      return RowsInMemory::differ(request) ? reduce_in_memory_order(RowsInMemory(request), report)
                                           : reduce_by_plan(request, report);
    }
    const FloatEnvironment environment;
    const VectorFold* const fold = isofold_openmp::direct_fold(*folds_, request);
    if (__builtin_expect(fold != nullptr && fold->rows[0] != nullptr, 1)) {
      fold->rows[one_stream - 1](request, 0, request.rows);
    } else {
      isofold_openmp::walk(*folds_, request, alone);
    }
    return ISOFOLD_ok;
  }

  std::int32_t reduce_fused(const isofold_request* requests, std::int32_t count,
                            backend_interface::Report& report) noexcept override {
    if (std::none_of(requests, requests + count, is_exact)) {
      return reduce_together(requests, count, report);
    }
    isofold_request sorted[ISOFOLD_MOST_FUSED];  // those of exact_v1 first
    isofold_request* first = sorted;
    isofold_request* const others = std::copy_if(requests, requests + count, first, is_exact);
    isofold_request* const end = std::remove_copy_if(requests, requests + count, others, is_exact);
    std::int32_t code = ISOFOLD_ok;
    while (first != others && code == ISOFOLD_ok) {
      const int together = isofold_openmp::put_together(first, static_cast<int>(others - first));
      code = reduce_exactly(first, together, report);
      first += together;
    }
    const auto left = static_cast<std::int32_t>(end - others);
    return code != ISOFOLD_ok || left == 0 ? code
           : left == 1                     ? reduce(*others, report)
                                           : reduce_together(others, left, report);
  }

  void in_parts(const isofold_request& request, std::int64_t bytes, std::int64_t count,
                const Part& part) noexcept override {
    const int threads = threads_for(request, bytes);
    if (threads == 1) {  // without what a parallel region takes
      return part(0, count);
    }
    detail::on_team(threads, [&](int team) {
#pragma omp parallel for num_threads(team) schedule(static)
      for (int i = 0; i < team; ++i) {
        part(count * i / team, count * (i + 1) / team);
      }
    });
  }

  std::int32_t reserve(const isofold_request& request,
                       backend_interface::Report& report) noexcept override {
    if (!is_exact(request) && RowsInMemory::differ(request)) {
      const RowsInMemory rows(request);
      void* results = nullptr;
      const std::int32_t code = take_results(rows, &results, report);
      return code == ISOFOLD_ok ? reserve_as_asked(rows.request(), report) : code;
    }
    return reserve_as_asked(request, report);
  }

 private:
  std::int32_t reserve_as_asked(const isofold_request& request, backend_interface::Report& report) {
    const VectorFolds* folds = folds_;
    Plan plan = alone;
    // The lengths of ragged rows are data: they may be long enough for every thread.
    const bool is_ragged = has_layout(request) && layout_of(request).is_ragged();
    const std::int64_t elements = is_ragged ? threads_pay : request.rows * request.length;
    const std::int32_t code =
        choose(request, elements, isofold_openmp::run_bytes, &folds, &plan, report);
    if (code != ISOFOLD_ok || is_exact(request) || request.shape != ISOFOLD_SHAPE_box ||
        request.layout->mask != nullptr) {
      return code;
    }
    const RowsOfRequest packed(request, stored_bytes(request), stored_alignment(request.type));
    return take_states(request, packed->slabs(), &plan, report);
  }

  // Folds of tree v1.
  std::int32_t reduce_together(const isofold_request* requests, std::int32_t count,
                               backend_interface::Report& report) {
    const isofold_request* const pair = std::find_if(
        requests, requests + count, [](const auto& each) { return each.second != nullptr; });
    const isofold_request& input = pair != requests + count ? *pair : *requests;  // all arrays
    return reduce_by_plan(input, requests, count, isofold_openmp::fused_run_bytes, report,
                          [&](const VectorFolds& folds, const Plan& plan) {
                            return isofold_openmp::walk_fused(folds, requests, count, plan);
                          });
  }
  // Sums of exact_v1 whose words the first one keeps. Boxes are read as they lie in memory.
  std::int32_t reduce_exactly(const isofold_request* requests, int count,
                              backend_interface::Report& report) {
    isofold_request input;
    isofold_layout layout;
    take_in_memory_order(*requests, &input, &layout);
    std::int32_t answer = ISOFOLD_ok;
    const std::int32_t code =
        reduce_by_plan(input, requests, count, isofold_openmp::run_bytes, report,
                       [&](const VectorFolds& folds, const Plan& plan) {
                         int granted = 1;
                         answer = isofold_openmp::walk_exactly(folds, input, requests, count, plan,
                                                               &granted, report);
                         return granted;
                       });
    return code == ISOFOLD_ok ? answer : code;
  }

  std::int32_t reduce_by_plan(const isofold_request& request, backend_interface::Report& report) {
    return reduce_by_plan(request, &request, 1, isofold_openmp::run_bytes, report,
                          [&](const VectorFolds& folds, const Plan& plan) {
                            return isofold_openmp::walk(folds, request, plan);
                          });
  }
  std::int32_t reduce_in_memory_order(const RowsInMemory& rows, backend_interface::Report& report) {
    isofold_request request = rows.request();
    const std::int32_t taken = take_results(rows, &request.result, report);
    if (taken != ISOFOLD_ok) {
      return taken;
    }
    const char* const results = static_cast<const char*>(request.result);
    const std::int32_t code = reduce_by_plan(request, report);
    if (code == ISOFOLD_ok) {
      in_parts(request, request.rows * request.length, request.rows,
               [&](std::int64_t first, std::int64_t last) { rows.scatter(results, first, last); });
    }
    return code;
  }

  // Transposed boxes are folded slab by slab where lines of the cache hold some elements of
  // neighbouring slabs, and there are more than caches hold.
  static bool takes_slabs(const isofold_request& request, const isofold_packed::Slabs& slabs) {
    constexpr std::int64_t some = 8;
    return slabs.length >= some && slabs.neighbours >= some &&
           request.length >= some * core::chunk_elements &&
           request.rows >= (slabs_pay + request.length - 1) / request.length;
  }
  std::int32_t take_states(const isofold_request& request, const isofold_packed::Slabs& slabs,
                           Plan* plan, backend_interface::Report& report) {
    if (!takes_slabs(request, slabs)) {
      return ISOFOLD_ok;
    }
    constexpr std::size_t line = 64;
    const auto chunks = static_cast<std::size_t>(request.rows * core::chunk_count(request.length));
    const auto threads = static_cast<std::size_t>(plan->threads);
    std::size_t bytes = chunks * core::most_state_bytes;
    std::size_t all = bytes + threads * isofold_openmp::slab_room_bytes + line;
    plan->states = states_.take(all);
    if (plan->states == nullptr) {
      return report.fail(ISOFOLD_out_of_memory,
                         "Host memory has no %zu bytes for the states of %zu chunks and what %d "
                         "threads gather.",
                         all, chunks, plan->threads);
    }
    plan->rooms = static_cast<unsigned char*>(plan->states) + bytes;
    all -= bytes;
    std::align(line, all - line, plan->rooms, all);
    return ISOFOLD_ok;
  }

  // Room for results in the order of memory.
  std::int32_t take_results(const RowsInMemory& rows, void** results,
                            backend_interface::Report& report) {
    const std::size_t bytes = static_cast<std::size_t>(rows.request().rows) * rows.result_bytes();
    *results = results_.take(bytes);
    return *results != nullptr
               ? ISOFOLD_ok
               : report.fail(ISOFOLD_out_of_memory,
                             "Host memory has no %zu bytes for results in the order of memory.",
                             bytes);
  }

  // Runs walk(folds, plan) for requests over the rows of `input`, packed where it has a layout; the
  // first of them says which schedule is wished for, and learns what ran.
  template <class Walk>
  __attribute__((noinline)) std::int32_t reduce_by_plan(const isofold_request& input,
                                                        const isofold_request* requests,
                                                        std::int32_t count, std::size_t run_bytes,
                                                        backend_interface::Report& report,
                                                        Walk&& walk) {
    const isofold_request& first = requests[0];
    const auto reduce = [&](const PackedRows* packed) {
      const FloatEnvironment environment;
      const VectorFolds* folds = folds_;
      Plan plan = alone;
      plan.packed = packed;
      const std::int64_t elements =
          packed != nullptr ? packed->elements() : input.rows * input.length;
      std::int32_t code = choose(first, elements, run_bytes, &folds, &plan, report);
      if (code == ISOFOLD_ok && packed != nullptr && !is_exact(input)) {
        code = take_states(input, packed->slabs(), &plan, report);
      }
      if (code == ISOFOLD_ok) {
        int granted = 1;
        detail::on_team(plan.threads, [&](int team) {
          plan.threads = team;
          granted = walk(*folds, plan);
        });
        if (first.ran != nullptr) {
          *first.ran = {};
          first.ran->threads = granted;
          first.ran->vector_bits = folds->vector_bits;
          first.ran->streams = plan.streams;
        }
      }
      return code;
    };
    if (input.layout == nullptr) {
      return reduce(nullptr);
    }
    const auto count_in_parts = [&](std::int64_t blocks, const Part& part) {
      in_parts(first, input.rows * input.length, blocks, part);
    };
    return reduce_packed(input, requests, count, report, count_in_parts,
                         [&](const PackedRows& packed) { return reduce(&packed); });
  }

  int threads_for(const isofold_request& request, std::int64_t bytes) const {
    const int forced = request.schedule != nullptr ? request.schedule->threads : 0;
    const int wanted = forced != 0                                    ? forced
                       : bytes >= detail::least_for_team(threads_pay) ? threads()
                                                                      : 1;
    return wanted > 1 ? detail::startable_threads(wanted) : 1;
  }

  std::int32_t choose(const isofold_request& request, std::int64_t elements, std::size_t run_bytes,
                      const VectorFolds** folds, Plan* plan, backend_interface::Report& report) {
    const isofold_schedule forced =
        request.schedule != nullptr ? *request.schedule : isofold_schedule{};
    // The bytes are those of the values that are folded: narrow elements take less memory, but as
    // much time in cache.
    const std::int64_t bytes = elements * isofold_type_bytes(computed_type(request));
    if (forced.vector_bits != 0) {
      *folds = instruction_sets().of_width(forced.vector_bits);
      if (*folds == nullptr) {
        return report.fail(ISOFOLD_unsupported,
                           "Vectors of %d bits are not available; this machine has %d at most.",
                           forced.vector_bits, instruction_sets().widest().vector_bits);
      }
    }
    plan->threads = threads_for(request, bytes);
    plan->streams = forced.streams != 0                    ? forced.streams
                    : bytes / plan->threads >= streams_pay ? streams_from_memory_
                                                           : one_stream;
    const bool is_known = plan->streams >= one_stream && plan->streams <= prefetched;
    if (!is_known || (plan->streams == prefetched && (*folds)->vector_bits != 512)) {
      plan->streams = two_streams;
    }
    return take_workspace(plan, run_bytes, report);
  }

  // The caller's number is a limit, which OpenMP's may be below.
  int threads() const {
    if (most_threads_ == 0 || omp_in_parallel() != 0) {
      return detail::default_threads();
    }
    return std::min(most_threads_, omp_get_max_threads());
  }

  std::int32_t take_workspace(Plan* plan, std::size_t run_bytes,
                              backend_interface::Report& report) {
    const std::size_t bytes =
        plan->threads > 1 ? static_cast<std::size_t>(plan->threads) * run_bytes : 0;
    if (bytes > bytes_) {
      void* runs = ::operator new(bytes, std::nothrow);
      if (runs == nullptr) {
        return report.fail(ISOFOLD_out_of_memory,
                           "%zu bytes of host memory for %d threads are not available.", bytes,
                           plan->threads);
      }
      ::operator delete(runs_);
      runs_ = runs;
      bytes_ = bytes;
    }
    plan->runs = runs_;
    return ISOFOLD_ok;
  }

  int most_threads_;
  const VectorFolds* folds_;
  const int streams_from_memory_ = streams_from_memory();
  void* runs_ = nullptr;
  std::size_t bytes_ = 0;
  KeptMemory results_;  // of rows in the order of memory
  KeptMemory states_;   // of the chunks of slabs, and what these are gathered in
};

class OpenmpBackend final : public HostBackend {
 public:
  const char* name() const noexcept override { return "openmp"; }
  bool converts_elements() const noexcept override { return true; }
  bool has_exact() const noexcept override { return true; }
  bool has_shape(std::int32_t) const noexcept override { return true; }
  std::int32_t available(backend_interface::Report& report) noexcept override {
    const int threads = detail::default_threads();
    report.fail(ISOFOLD_ok, "%s, %d %s", name_of(instruction_sets().widest().vector_bits), threads,
                threads == 1 ? "thread" : "threads");
    return ISOFOLD_ok;
  }
  backend_interface::Instance* open(const isofold_options& options, std::int32_t* code,
                                    backend_interface::Report& report) noexcept override {
    auto* instance = new (std::nothrow) OpenmpInstance(options.threads);
    *code = instance != nullptr ? ISOFOLD_ok
                                : report.fail(ISOFOLD_out_of_memory, "No memory for a reducer.");
    return instance;
  }

 private:
  static const char* name_of(int vector_bits) {
    return vector_bits == 512 ? "AVX-512" : vector_bits == 256 ? "AVX2" : "128-bit vectors";
  }
};

OpenmpBackend openmp_backend;

}  // namespace
}  // namespace isofold

ISOFOLD_EXPORT_BACKEND(openmp, isofold::openmp_backend)

// A module as another package may bring it for an installed library: a backend with memory of its
// own, of which the host is told that it cannot reach it. It sums arrays of f64, on the host.
//   ISOFOLD_TEST_BACKEND       its name, "hip"
//   ISOFOLD_TEST_VERSION       the version that it says it is of, "1.0.0"
//   ISOFOLD_TEST_INTERFACE     added to the number of the module interface: other sources
#include <cstdio>
#include <cstring>
#include <new>

#include <backend/interface.hpp>
#include <isofold/detail/core/folds/sum.hpp>
#include <isofold/transform_reduce.hpp>

namespace {

using isofold::backend_interface::Place;
using isofold::backend_interface::Report;

alignas(64) unsigned char memory_of_device[1 << 16];
std::size_t taken_bytes = 0;

class Instance final : public isofold::backend_interface::Instance {
 public:
  std::int32_t reduce(const isofold_request& request, Report&) noexcept override {
    const auto* x = static_cast<const double*>(request.data);
    const double sum = isofold::transform_reduce(
        request.length, [x](std::int64_t i) { return x[i]; }, isofold::core::Sum<double>{});
    std::memcpy(request.result, &sum, sizeof sum);
    return ISOFOLD_ok;
  }
};

class Backend final : public isofold::backend_interface::Backend {
 public:
  const char* name() const noexcept override { return ISOFOLD_TEST_BACKEND; }
  std::int32_t available(Report& report) noexcept override {
    std::snprintf(report.message, sizeof report.message, "a module that came later");
    return ISOFOLD_ok;
  }
  bool has_device_memory() const noexcept override { return true; }
  std::int32_t device_name(std::int32_t, char* text, std::size_t bytes) noexcept override {
    std::snprintf(text, bytes, "a device that came later");
    return ISOFOLD_ok;
  }
  std::int32_t supports(const isofold_request& request, std::int32_t,
                        Report& report) noexcept override {
    const bool yes = request.fold == ISOFOLD_FOLD_sum && request.type == ISOFOLD_TYPE_f64;
    return yes ? ISOFOLD_ok : report.fail(ISOFOLD_unsupported, "It sums f64 alone.");
  }
  std::int32_t locate(const void* pointer, Place* place, Report&) noexcept override {
    const auto* byte = static_cast<const unsigned char*>(pointer);
    *place = byte >= memory_of_device && byte < memory_of_device + sizeof memory_of_device
                 ? Place{ISOFOLD_MEMORY_device, 0}
                 : Place{};
    return ISOFOLD_ok;
  }
  std::int32_t allocate(std::int32_t, std::size_t bytes, void** memory,
                        Report& report) noexcept override {
    if (bytes > sizeof memory_of_device - taken_bytes) {
      return report.fail(ISOFOLD_out_of_memory, "The memory is used up.");
    }
    *memory = memory_of_device + taken_bytes;
    taken_bytes += (bytes + 63) / 64 * 64;
    return ISOFOLD_ok;
  }
  void release(std::int32_t, void*) noexcept override {}
  std::int32_t copy(std::int32_t, void* destination, const void* source, std::size_t bytes,
                    Report&) noexcept override {
    std::memcpy(destination, source, bytes);
    return ISOFOLD_ok;
  }
  isofold::backend_interface::Instance* open(const isofold_options&, std::int32_t* code,
                                             Report&) noexcept override {
    *code = ISOFOLD_ok;
    return new (std::nothrow) Instance;
  }
};

Backend backend;

}  // namespace

extern "C" {
extern const char isofold_module_version[] __attribute__((visibility("default")));
const char isofold_module_version[] = ISOFOLD_TEST_VERSION;

__attribute__((visibility("default"))) const isofold::backend_interface::Module* isofold_module() {
  static const isofold::backend_interface::Module module{
      isofold::backend_interface::abi_number + ISOFOLD_TEST_INTERFACE, sizeof(isofold_request),
      sizeof(isofold_options), sizeof(isofold_schedule), &backend};
  return &module;
}
}

// A backend of the library as a Target: one Reducer of its own, through the C ABI.
#include "target.hpp"

#include <isofold/isofold.hpp>

namespace isofold::conformance {
namespace {

class LibraryTarget final : public Target {
 public:
  explicit LibraryTarget(const std::string& backend)
      : backend_(backend),
        reducer_(backend_.c_str(),
                 Options{}.guarantee(is_within_bound(backend) ? Guarantee::within_bound
                                                              : Guarantee::same_bits)) {}

  std::string name() const override { return backend_; }
  bool promises_same_bits() const override { return !is_within_bound(backend_); }
  std::string schedule_family() const override { return backend_; }

  std::int32_t reduce(const isofold_request& request) override {
    return isofold_reduce(reducer_.handle(), &request);
  }
  std::int32_t reduce_fused(const isofold_request* requests, std::int32_t count) override {
    return isofold_reduce_fused(reducer_.handle(), requests, count);
  }
  std::int32_t synchronize() override { return isofold_synchronize(reducer_.handle()); }
  std::string last_error() const override { return isofold_last_error(); }
  std::string answered_by() const override { return reducer_.backend(); }

  void* allocate(std::size_t bytes) override {
    void* memory = nullptr;
    return isofold_allocate(backend_.c_str(), 0, bytes, &memory) == ISOFOLD_ok ? memory : nullptr;
  }
  void release(void* memory) override { isofold_release(backend_.c_str(), 0, memory); }
  void copy(void* destination, const void* source, std::size_t bytes) override {
    check(isofold_copy(backend_.c_str(), 0, destination, source, bytes));
  }

 private:
  std::string backend_;
  Reducer reducer_;
};

}  // namespace

std::unique_ptr<Target> library_target(const std::string& backend) {
  return std::make_unique<LibraryTarget>(backend);
}

bool is_within_bound(const std::string& backend) { return backend == "kokkos"; }

}  // namespace isofold::conformance

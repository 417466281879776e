// A Target that forces one schedule on every call, and schedules as text.
#pragma once

#include <string>

#include "target.hpp"

namespace isofold::conformance {

// A target that forces a schedule if it can; a machine may lack an instruction set, and not every
// shape has every schedule.
class ForcedTarget final : public Target {
 public:
  ForcedTarget(Target& target, const isofold_schedule& schedule)
      : target_(target), schedule_(schedule) {}

  std::string name() const override { return target_.name(); }
  bool promises_same_bits() const override { return target_.promises_same_bits(); }
  std::string schedule_family() const override { return target_.schedule_family(); }
  std::int32_t reduce(const isofold_request& request) override {
    isofold_request forced = request;
    forced.schedule = &schedule_;
    const std::int32_t code = target_.reduce(forced);
    return code == ISOFOLD_unsupported ? target_.reduce(request) : code;
  }
  std::int32_t synchronize() override { return target_.synchronize(); }
  std::string last_error() const override { return target_.last_error(); }
  std::string answered_by() const override { return target_.answered_by(); }
  void* allocate(std::size_t bytes) override { return target_.allocate(bytes); }
  void release(void* memory) override { target_.release(memory); }
  void copy(void* destination, const void* source, std::size_t bytes) override {
    target_.copy(destination, source, bytes);
  }

 private:
  Target& target_;
  isofold_schedule schedule_;
};

// This lists what a schedule fixes, as in "threads 3, streams 2".
inline std::string text_of(const isofold_schedule& s) {
  std::string text;
  const auto add = [&](const char* name, std::int32_t value) {
    if (value != 0) {
      text += (text.empty() ? "" : ", ") + std::string(name) + " " + std::to_string(value);
    }
  };
  add("threads", s.threads);
  add("vector_bits", s.vector_bits);
  add("streams", s.streams);
  add("blocks", s.blocks);
  add("warps", s.warps);
  add("chunks", s.chunks);
  add("wave_width", s.wave_width);
  add("unit", s.unit);
  return text.empty() ? "nothing" : text;
}

}  // namespace isofold::conformance

// Memory, streams and events of the emulated GPUs.
#include "machine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

namespace isofold::simt {
namespace {

constexpr std::size_t alignment = 256;  // as cudaMalloc gives
constexpr std::size_t guard_bytes = 256;
constexpr unsigned char guard_byte = 0xd7;
constexpr unsigned char released_byte = 0xe5;

thread_local int current[2] = {0, 0};  // devices of this host thread: wave width 32, 64

// A Status points at text that lives forever, so each sentence is kept.
Status failure(isofold_code code, const std::string& text) {
  static std::mutex mutex;
  static auto& texts = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return {code, texts.insert(text).first->c_str()};
}

const Status in_capture{ISOFOLD_capture, "not permitted while a stream is being captured"};

std::uint64_t seed_of_environment() {
  const char* text = std::getenv("ISOFOLD_SIMT_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 1;
}

// With AddressSanitizer the heap's own red zones stand around each allocation, to the byte.
std::size_t guard() { return has_address_sanitizer() ? 0 : guard_bytes; }

std::uintptr_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

Machine::Machine(int wave_width)
    : wave_width_(wave_width),
      seed_(seed_of_environment()),
      random_(seed_),
      grid_(random_, find, this),
      slow_fences_(std::getenv("ISOFOLD_SIMT_SLOW_FENCES") != nullptr) {
  for (int device = 0; device < devices; ++device) {
    default_streams_[device] = std::make_shared<Stream>();
    default_streams_[device]->device = device;
  }
}

Machine::~Machine() = default;

Machine& machine(int wave_width) {
  static Machine narrow(32);
  static Machine wide(64);
  return wave_width == 64 ? wide : narrow;
}

void Machine::reseed(std::uint64_t seed) {
  const std::lock_guard lock(mutex_);
  seed_ = seed;
  random_ = Random(seed);
}

Status Machine::current_device(int* device) {
  *device = current[wave_width_ == 64];
  return {};
}
Status Machine::use_device(int device) {
  if (device < 0 || device >= devices) {
    return failure(ISOFOLD_invalid_argument, "no such device");
  }
  current[wave_width_ == 64] = device;
  return {};
}

// ---- memory ------------------------------------------------------------------------------------

Machine::Allocations::iterator Machine::around(std::uintptr_t address) {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) {
    return allocations_.end();
  }
  --after;
  return address - after->first < after->second.bytes ? after : allocations_.end();
}

Extent Machine::find(void* machine, std::uintptr_t address) {
  auto& self = *static_cast<Machine*>(machine);
  const auto found = self.around(address);
  if (found == self.allocations_.end()) {  // the host's: nobody tells where it ends
    constexpr std::uintptr_t longest_load = 16;
    return self.reaches_host_memory_ ? Extent{address / longest_load * longest_load, longest_load}
                                     : Extent{};
  }
  return found->second.device == self.running_device_ ? Extent{found->first, found->second.bytes}
                                                      : Extent{};
}

backend_interface::Place Machine::locate(const void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto found = around(number(pointer));
  return found == allocations_.end()
             ? backend_interface::Place{}
             : backend_interface::Place{found->second.kind, found->second.device};
}

Status Machine::allocate(void** memory, std::size_t bytes, isofold_memory kind) {
  const std::lock_guard lock(mutex_);
  if (breaks_captures(nullptr)) {
    return in_capture;
  }
  Allocation made;
  made.bytes = std::max<std::size_t>(bytes, 1);
  made.kind = kind;
  made.device = current[wave_width_ == 64];
  void* block = nullptr;
  if (made.bytes > PTRDIFF_MAX - 2 * guard() ||
      posix_memalign(&block, alignment, made.bytes + 2 * guard()) != 0) {
    return {ISOFOLD_out_of_memory, "out of memory"};
  }
  made.block = static_cast<unsigned char*>(block);
  unsigned char* first = made.block + guard();
  std::memset(made.block, guard_byte, guard());
  poison(first, made.bytes, random_);
  std::memset(first + made.bytes, guard_byte, guard());
  allocations_.emplace(number(first), made);
  *memory = first;
  return {};
}

// Waits for all work, as a vendor's free does.
Status Machine::release(void* memory) {
  const std::lock_guard lock(mutex_);
  if (memory == nullptr) {
    return {};
  }
  if (breaks_captures(nullptr)) {
    return in_capture;
  }
  run_all();
  const auto found = allocations_.find(number(memory));
  if (found == allocations_.end()) {
    return failure(ISOFOLD_invalid_argument, "no allocation begins there");
  }
  if (pending_.empty()) {
    pending_ = damage(*found);
  }
  // A user of freed memory, such as a graph, must not find the old content; nor may a compiler
  // leave the write out because the memory is freed next.
  std::memset(memory, released_byte, found->second.bytes);
  asm volatile("" : : "r"(memory) : "memory");
  std::free(found->second.block);
  allocations_.erase(found);
  return {};
}

// Returns "", or a sentence about a write beside the allocation, which it tells once.
std::string Machine::damage(const Allocations::value_type& allocation) {
  const Allocation& made = allocation.second;
  unsigned char* behind = made.block + guard() + made.bytes;
  std::string found;
  for (std::size_t i = 0; i < guard() && found.empty(); ++i) {
    const bool before = made.block[guard() - 1 - i] != guard_byte;
    if (before || behind[i] != guard_byte) {
      found = "a kernel wrote byte " + std::to_string(i + 1) + (before ? " before" : " past") +
              " an allocation of " + std::to_string(made.bytes) + " bytes";
    }
  }
  if (!found.empty()) {
    std::memset(made.block, guard_byte, guard());
    std::memset(behind, guard_byte, guard());
  }
  return found;
}

// A range that begins in an allocation lies in it; others are the host's.
std::string Machine::check_range(const void* memory, std::size_t bytes) {
  const auto found = around(number(memory));
  if (found != allocations_.end() &&
      bytes > found->second.bytes - (number(memory) - found->first)) {
    return std::to_string(bytes) + " bytes leave an allocation of " +
           std::to_string(found->second.bytes) + " bytes";
  }
  return "";
}

Status Machine::zero(void* memory, std::size_t bytes, void* stream) {
  const std::lock_guard lock(mutex_);
  const std::string wrong = check_range(memory, bytes);
  if (!wrong.empty()) {
    return failure(ISOFOLD_invalid_argument, wrong);
  }
  const auto queue = stream_of(stream);
  if (captured_beside(*queue) != nullptr) {
    return in_capture;
  }
  enqueue(queue, [memory, bytes, left_out = grid_.omission.zeroing] {
    if (!left_out) {
      std::memset(memory, 0, bytes);
    }
    return std::string();
  });
  return {};
}

Status Machine::copy(void* destination, const void* source, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  for (const void* side : {static_cast<const void*>(destination), source}) {
    const std::string wrong = check_range(side, bytes);
    if (!wrong.empty()) {
      return failure(ISOFOLD_invalid_argument, wrong);
    }
  }
  if (breaks_captures(nullptr)) {
    return in_capture;
  }
  run_all();
  if (bytes != 0) {
    std::memmove(destination, source, bytes);
  }
  return answer();
}

void Machine::copy_later(void* destination, const void* source, std::size_t bytes, void* stream) {
  const std::lock_guard lock(mutex_);
  enqueue(stream_of(stream), [=] {
    std::memmove(destination, source, bytes);
    return std::string();
  });
}

// ---- streams and events ------------------------------------------------------------------------

void* Machine::create_stream() {
  const std::lock_guard lock(mutex_);
  auto stream = std::make_shared<Stream>();
  stream->device = current[wave_width_ == 64];
  void* handle = stream.get();
  streams_.emplace(handle, std::move(stream));
  return handle;
}
void Machine::destroy_stream(void* handle) {
  const std::lock_guard lock(mutex_);
  const auto stream = stream_of(handle);
  run_until(*stream, stream->queued);
  streams_.erase(handle);
}

// nullptr is the default stream of the current device.
std::shared_ptr<Stream> Machine::stream_of(void* handle) {
  if (handle == nullptr) {
    return default_streams_[current[wave_width_ == 64]];
  }
  const auto found = streams_.find(handle);
  if (found == streams_.end()) {
    std::fprintf(stderr, "simt: %p is no stream\n", handle);
    std::abort();
  }
  return found->second;
}

// Work of the legacy default stream waits for all streams of its device, and they for it.
void Machine::enqueue(const std::shared_ptr<Stream>& stream, std::function<std::string()> run) {
  if (stream->capture != nullptr) {
    stream->capture->steps.push_back(std::move(run));
    return;
  }
  Stream::Step step{std::move(run), {}};
  const auto wait_for = [&](const std::shared_ptr<Stream>& other) {
    if (other != stream && other->device == stream->device && other->done < other->queued) {
      step.after.emplace_back(other, other->queued);
    }
  };
  if (stream == default_streams_[stream->device]) {
    for (const auto& [handle, other] : streams_) {
      wait_for(other);
    }
  } else {
    wait_for(default_streams_[stream->device]);
  }
  stream->waiting.push_back(std::move(step));
  ++stream->queued;
  if (random_.coin()) {  // the GPU has done a part of it by then
    std::vector<Stream*> busy;
    for (const auto& each : default_streams_) {
      busy.push_back(each.get());
    }
    for (const auto& [handle, each] : streams_) {
      busy.push_back(each.get());
    }
    Stream& chosen = *busy[static_cast<std::size_t>(random_.below(busy.size()))];
    run_until(chosen, chosen.done + random_.below(chosen.queued - chosen.done + 1));
  }
}

void Machine::run_first(Stream& stream) {
  const Stream::Step step = std::move(stream.waiting.front());
  stream.waiting.pop_front();
  for (const auto& [other, position] : step.after) {
    run_until(*other, position);
  }
  const std::string wrong = step.run();
  ++stream.done;
  if (pending_.empty()) {
    pending_ = wrong;
  }
}
void Machine::run_until(Stream& stream, std::uint64_t position) {
  while (stream.done < position) {
    run_first(stream);
  }
}
void Machine::run_all() {
  for (const auto& stream : default_streams_) {
    run_until(*stream, stream->queued);
  }
  for (const auto& [handle, stream] : streams_) {
    run_until(*stream, stream->queued);
  }
}

// The first failure since the last answer; not sticky.
Status Machine::answer() {
  if (pending_.empty()) {
    return {};
  }
  const Status status = failure(ISOFOLD_device_failure, pending_);
  pending_.clear();
  return status;
}

Status Machine::synchronize(void* handle) {
  const std::lock_guard lock(mutex_);
  const auto stream = stream_of(handle);
  if (breaks_captures(stream.get())) {
    return in_capture;
  }
  run_until(*stream, stream->queued);
  return answer();
}

// ---- graph captures ----------------------------------------------------------------------------

// A captured stream that forbids work on `stream`, the default stream of the same device.
Stream* Machine::captured_beside(const Stream& stream) {
  if (&stream == default_streams_[stream.device].get()) {
    for (const auto& [handle, other] : streams_) {
      if (other->capture != nullptr && other->device == stream.device) {
        return other.get();
      }
    }
  }
  return nullptr;
}

// Breaks the captures that cannot hold this: waiting for a stream that is captured, or (null) for
// everything.
bool Machine::breaks_captures(const Stream* stream) {
  bool found = false;
  for (const auto& [handle, other] : streams_) {
    if (other->capture != nullptr &&
        (stream == nullptr || stream == other.get() || captured_beside(*stream) != nullptr)) {
      other->capture->broken = true;
      found = true;
    }
  }
  return found;
}

// A question about the default stream beside a capture is not allowed, but breaks nothing.
Status Machine::capturing(void* handle, bool* yes) {
  const std::lock_guard lock(mutex_);
  const auto stream = stream_of(handle);
  *yes = stream->capture != nullptr;
  return captured_beside(*stream) != nullptr ? in_capture : Status{};
}

void Machine::begin_capture(void* handle) {
  const std::lock_guard lock(mutex_);
  stream_of(handle)->capture = std::make_shared<Graph>();
}
std::shared_ptr<Graph> Machine::end_capture(void* handle) {
  const std::lock_guard lock(mutex_);
  const auto graph = std::move(stream_of(handle)->capture);
  return graph->broken ? nullptr : graph;
}
void Machine::launch_graph(const std::shared_ptr<Graph>& graph, void* handle) {
  const std::lock_guard lock(mutex_);
  enqueue(stream_of(handle), [graph] {
    std::string wrong;
    for (const auto& step : graph->steps) {
      const std::string here = step();
      wrong = wrong.empty() ? here : wrong;
    }
    return wrong;
  });
}

Status Machine::create_event(void** event) {
  *event = new Event;
  return {};
}
Status Machine::record_event(void* event, void* stream) {
  const std::lock_guard lock(mutex_);
  auto& recorded = *static_cast<Event*>(event);
  if (breaks_captures(stream_of(stream).get())) {
    return in_capture;
  }
  recorded.stream = stream_of(stream);
  recorded.position = recorded.stream->queued;
  return {};
}
Status Machine::wait_event(void* handle, void* event) {
  const std::lock_guard lock(mutex_);
  const auto& recorded = *static_cast<const Event*>(event);
  const auto stream = stream_of(handle);
  if (breaks_captures(stream.get())) {
    return in_capture;
  }
  if (recorded.stream != nullptr && recorded.stream != stream) {
    stream->waiting.push_back(
        {[] { return std::string(); }, {{recorded.stream, recorded.position}}});
    ++stream->queued;
  }
  return {};
}
void Machine::destroy_event(void* event) { delete static_cast<Event*>(event); }

// ---- launches ----------------------------------------------------------------------------------

Status Machine::launch(void (*body)(const void*, Thread*), const void* kernel,
                       std::size_t kernel_bytes, int most_threads, const gpu::Launch& size,
                       void* stream) {
  const std::lock_guard lock(mutex_);
  if (size.threads < wave_width_ || size.threads % wave_width_ != 0 ||
      size.threads > most_threads) {
    return failure(ISOFOLD_device_failure, "a block of " + std::to_string(size.threads) +
                                               " threads: it holds whole warps of " +
                                               std::to_string(wave_width_) + " and at most the " +
                                               std::to_string(most_threads) +
                                               " threads of its kernel");
  }
  if (size.blocks < 1 || size.blocks > gpu::most_blocks) {
    return failure(ISOFOLD_device_failure,
                   "a grid of " + std::to_string(size.blocks) + " blocks: it has 1 to 2^31 - 1");
  }
  if (size.shared_bytes > most_shared(wave_width_)) {
    return failure(ISOFOLD_device_failure, std::to_string(size.shared_bytes) +
                                               " bytes of shared memory: a block has at most " +
                                               std::to_string(most_shared(wave_width_)));
  }
  const std::shared_ptr<void> copy(std::malloc(kernel_bytes), std::free);
  std::memcpy(copy.get(), kernel, kernel_bytes);
  Work work;
  work.body = body;
  work.kernel = copy.get();
  work.blocks = size.blocks;
  work.threads = size.threads;
  work.wave_width = wave_width_;
  work.shared_bytes = size.shared_bytes;
  const auto queue = stream_of(stream);
  if (captured_beside(*queue) != nullptr) {
    return in_capture;
  }
  enqueue(queue, [this, copy, work, device = queue->device] { return run_launch(work, device); });
  return {};
}

std::string Machine::run_launch(const Work& work, int device) {
  ++launches_;
  running_device_ = device;
  std::string wrong = grid_.run(work);
  for (auto each = allocations_.begin(); each != allocations_.end() && wrong.empty(); ++each) {
    wrong = damage(*each);
  }
  if (!wrong.empty()) {
    wrong += " [wave width " + std::to_string(wave_width_) + ", launch " +
             std::to_string(launches_) + " of ISOFOLD_SIMT_SEED=" + std::to_string(seed_) + "]";
  }
  return wrong;
}

}  // namespace isofold::simt

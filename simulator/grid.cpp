// The order of threads, and the rules of a block: which thread may wait at what point. This file is
// compiled without instrumentation: to the race detector, only the kernels' own accesses and
// barriers exist.
#include "grid.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <api/float_environment.hpp>

namespace isofold::simt {
namespace {

constexpr std::size_t guard_bytes = 64;  // behind shared memory; a write there is reported
constexpr unsigned char guard_byte = 0xd7;
constexpr int most_resident_threads = 2048;
constexpr int most_resident_blocks = 6;
constexpr int most_threads_for_race_detector = 7000;  // it knows 8128 at a time
constexpr std::size_t block_window = 32;

std::uint64_t bit(int lane) { return std::uint64_t{1} << lane; }

// The lowest lane of a set that is not empty.
int lowest(std::uint64_t lanes) { return __builtin_ctzll(lanes); }

// A random lane of a set that is not empty: the first one from a random lane on, cyclically.
int draw_lane(std::uint64_t lanes, int width, std::uint64_t chance) {
  const std::uint64_t cycle = width == widest_wave ? lanes : lanes | lanes << 32;
  const int from = static_cast<int>(chance & 63);
  const std::uint64_t rotated = cycle >> from | cycle << (-from & 63);
  return (lowest(rotated) + from) & (width - 1);
}

const char* text_of(Stop why) {
  switch (why) {
    case Stop::exchange: return "waits at an exchange";
    case Stop::warp_barrier: return "waits at a barrier of the warp";
    case Stop::loads_issued: return "has issued its loads";
    case Stop::barrier: return "waits at a barrier of the block";
    case Stop::end: return "has left the kernel";
  }
  return "";
}

// Copies word by word: the race detector sees memmove(), wherever it is called.
void copy_words(const std::uint32_t* from, int count, std::uint32_t* to) {
  for (int i = 0; i < count; ++i) {
    static_cast<volatile std::uint32_t&>(to[i]) = from[i];
  }
}

Stop stop_of(const Warp& warp, int lane) {
  for (int why = 0; why < stops; ++why) {
    if ((warp.stopped[why] & bit(lane)) != 0) {
      return static_cast<Stop>(why);
    }
  }
  return Stop::end;
}

std::uint64_t& stopped(Warp& warp, Stop why) { return warp.stopped[static_cast<int>(why)]; }
std::uint64_t stopped(const Warp& warp, Stop why) { return warp.stopped[static_cast<int>(why)]; }

}  // namespace

Grid::~Grid() = default;

std::string Grid::name_of(const Block& block, int thread) const {
  return "thread " + std::to_string(thread) + " of block " + std::to_string(block.number) +
         " (warp " + std::to_string(thread / work_.wave_width) + ", lane " +
         std::to_string(thread % work_.wave_width) + ")";
}

// ---- who runs next -----------------------------------------------------------------------------

// Inlined, as stop() is: the bytes that a thread leaves on its stack at a switch decide the speed
// of the emulator. Warps that can run have a thread that is ready. Usually the last warp goes on,
// because its stacks are in the cache.
[[gnu::always_inline]] inline void Grid::next(Fiber& leaving, bool for_good) {
  const std::uint64_t chance = random_.next();
  if (finished_ != nullptr || runnable_.empty()) {
    Fiber::switch_to(leaving, *host_, for_good);
    return;
  }
  if (current_ == nullptr || (chance & 15) == 0) {
    current_ = runnable_[(chance >> 32) * runnable_.size() >> 32];
  }
  const int lane = draw_lane(current_->ready, work_.wave_width, chance >> 4);
  Fiber& chosen = current_->block->threads[static_cast<std::size_t>(current_->first + lane)]->fiber;
  if (&chosen != &leaving) {
    Fiber::switch_to(leaving, chosen, for_good);
  }
}

[[gnu::always_inline]] inline void Grid::stop(Thread& thread, Stop why) {
  Warp& warp = *thread.warp;
  warp.ready &= ~bit(thread.lane);
  stopped(warp, why) |= bit(thread.lane);
  if (warp.ready == 0) {
    settle(warp);
  }
  next(thread.fiber, why == Stop::end);
}

// ---- a launch ----------------------------------------------------------------------------------

std::string Grid::run(const Work& work) {
  const FloatEnvironment gpu_arithmetic;  // whatever the host has set
  Fiber host;
  host_ = &host;
  work_ = work;
  every_lane_ = work.wave_width == widest_wave ? ~std::uint64_t{0} : bit(work.wave_width) - 1;
  extent_ = {};
  error_.clear();
  drawn_ = 0;
  window_.clear();
  current_ = nullptr;

  // Chance also decides how many blocks are there at once. The race detector gets all of them from
  // the start: a block that began after another had ended would know what that one did.
  std::int64_t most = work.blocks;
  if (!has_race_detector()) {
    const int room = std::clamp(most_resident_threads / work.threads, 1, most_resident_blocks);
    most = 1 + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(room)));
  } else if (work.blocks * work.threads > most_threads_for_race_detector) {
    return "the race detector cannot hold " + std::to_string(work.blocks) + " blocks of " +
           std::to_string(work.threads) + " threads; use fewer";
  }

  std::int64_t left = work.blocks;
  for (std::int64_t present = 0; left > 0 && error_.empty(); --present, --left) {
    for (; present < most && present < left; ++present) {
      start_block();
    }
    finished_ = nullptr;
    publish(&launched_);
    next(host, false);
    if (finished_ == nullptr && error_.empty()) {
      error_ = "no thread can run, and no block has ended";  // the rules below leave no such case
    } else if (finished_ != nullptr && !has_race_detector()) {
      retire(*finished_);
    }
  }
  if (!error_.empty()) {
    abandon();
    return error_;
  }
  learn(&ended_);
  while (!resident_.empty()) {
    retire(*resident_.back());
  }
  return error_;
}

// Draws the next block to start from a window of the next ones in line; otherwise there is no
// order.
std::int64_t Grid::draw_block() {
  while (window_.size() < block_window && drawn_ < work_.blocks) {
    window_.push_back(drawn_++);
  }
  const auto chosen = static_cast<std::size_t>(random_.below(window_.size()));
  const std::int64_t number = window_[chosen];
  window_[chosen] = window_.back();
  window_.pop_back();
  return number;
}

void Grid::start_block() {
  if (idle_blocks_.empty()) {
    idle_blocks_.push_back(std::make_unique<Block>());
  }
  resident_.push_back(std::move(idle_blocks_.back()));
  idle_blocks_.pop_back();
  Block& block = *resident_.back();
  block.number = draw_block();
  block.grid = this;
  block.at_barrier = 0;
  block.at_end = 0;
  const std::size_t guard = has_address_sanitizer() ? 0 : guard_bytes;
  block.shared = static_cast<unsigned char*>(std::malloc(work_.shared_bytes + guard));
  poison(block.shared, work_.shared_bytes, random_);
  std::memset(block.shared + work_.shared_bytes, guard_byte, guard);

  block.threads.resize(static_cast<std::size_t>(work_.threads));
  block.arrival_count = 0;
  block.warps.assign(static_cast<std::size_t>(work_.threads / work_.wave_width), Warp{});
  for (std::size_t w = 0; w < block.warps.size(); ++w) {
    Warp& warp = block.warps[w];
    warp.block = &block;
    warp.first = static_cast<int>(w) * work_.wave_width;
    warp.ready = every_lane_;
    can_run(warp);
  }
  for (int i = 0; i < work_.threads; ++i) {
    Thread& thread = *idle_thread();
    block.threads[static_cast<std::size_t>(i)] = &thread;
    thread.number = i;
    thread.lane = i % work_.wave_width;
    thread.block = &block;
    thread.warp = &block.warps[static_cast<std::size_t>(i / work_.wave_width)];
    thread.barriers = 0;
    thread.warp_barriers = 0;
    thread.copies.clear();
    thread.fiber.start(run_thread, &thread, i);
    thread.fiber.become_a_thread();
  }
}

Thread* Grid::idle_thread() {
  if (idle_threads_.empty()) {
    pool_.push_back(std::make_unique<Thread>());
    return pool_.back().get();
  }
  Thread* thread = idle_threads_.back();
  idle_threads_.pop_back();
  return thread;
}

void Grid::retire(Block& block) {
  for (std::size_t i = 0; !has_address_sanitizer() && i < guard_bytes; ++i) {
    if (block.shared[work_.shared_bytes + i] != guard_byte && error_.empty()) {
      error_ = "block " + std::to_string(block.number) + " has written " + std::to_string(i) +
               " bytes past its " + std::to_string(work_.shared_bytes) + " bytes of shared memory";
    }
  }
  std::free(block.shared);
  for (Thread* thread : block.threads) {
    idle_threads_.push_back(thread);
  }
  const auto place = std::find_if(resident_.begin(), resident_.end(),
                                  [&](const auto& held) { return held.get() == &block; });
  idle_blocks_.push_back(std::move(*place));
  *place = std::move(resident_.back());
  resident_.pop_back();
}

// Abandons the fibers after an error: they stay at their places, for good.
void Grid::abandon() {
  for (const auto& block : resident_) {
    for (Thread* thread : block->threads) {
      thread->fiber.publish_for_it(&ended_);
      thread->fiber.end_thread();
    }
  }
  learn(&ended_);
  while (!resident_.empty()) {
    retire(*resident_.back());
  }
  runnable_.clear();
}

void Grid::run_thread(void* argument) {
  Thread& thread = *static_cast<Thread*>(argument);
  Grid& grid = *thread.block->grid;
  learn(&grid.launched_);
  grid.work_.body(grid.work_.kernel, &thread);
  publish(&grid.ended_);
  grid.stop(thread, Stop::end);
}

// ---- what a thread may do ----------------------------------------------------------------------

void Grid::barrier(Thread& thread) {
  if (thread.barriers++ == omission.barrier) {
    return;
  }
  void* order = &thread.block->order[thread.block->barriers & 1];
  publish(order);
  stop(thread, Stop::barrier);
  learn(order);
}

void Grid::warp_barrier(Thread& thread) {
  if (thread.warp_barriers++ == omission.warp_barrier) {
    return;
  }
  void* order = &thread.warp->order[thread.warp->warp_barriers & 1];
  publish(order);
  stop(thread, Stop::warp_barrier);
  learn(order);
}

void Grid::exchange(Thread& thread, std::uint32_t* words, int count, int mask) {
  Warp& warp = *thread.warp;
  if (mask < 0 || mask >= work_.wave_width) {
    fail_by_mask(thread, mask);
  }
  const auto turn = static_cast<std::size_t>(warp.exchanges & 1);
  copy_words(words, count, thread.words[turn]);
  warp.masks[thread.lane] = mask;
  warp.counts[thread.lane] = count;
  stop(thread, Stop::exchange);
  const auto partner = static_cast<std::size_t>(thread.number ^ mask);
  copy_words(thread.block->threads[partner]->words[turn], count, words);
}

// Does nothing under the race detector, whose switches are slow: this orders nothing that it sees.
void Grid::loads_issued(Thread& thread) {
  if (!has_race_detector()) {
    stop(thread, Stop::loads_issued);
  }
}

void Grid::pause(Thread& thread) { next(thread.fiber, false); }

void Grid::begin_arrivals(Thread& thread, const void* word) {
  check_shared(thread, word, sizeof(std::uint64_t));
  Block& block = *thread.block;
  for (int i = 0; i < block.arrival_count; ++i) {
    if (block.arrivals[i].word == word) {
      fail(name_of(block, thread.number) + " begins arrivals that others have begun");
    }
  }
  if (block.arrival_count == most_arrivals) {
    fail(name_of(block, thread.number) + " begins more arrivals than the emulator has room for");
  }
  Arrival& arrival = block.arrivals[block.arrival_count++];
  arrival.word = word;
  arrival.expected = 0;
  arrival.begun = 0;
  arrival.done = 0;
  arrival.copies.count = 0;
}

Arrival& Grid::arrival_at(Thread& thread, const void* word) {
  Block& block = *thread.block;
  for (int i = 0; i < block.arrival_count; ++i) {
    if (block.arrivals[i].word == word) {
      return block.arrivals[i];
    }
  }
  fail(name_of(block, thread.number) + " uses an arrival that nobody has begun");
}

void Grid::expect(Thread& thread, const void* word, int bytes) {
  Arrival& arrival = arrival_at(thread, word);
  if (arrival.expected != 0) {
    fail(name_of(*thread.block, thread.number) + " expects copies before those of the last time");
  }
  arrival.expected = bytes;
  arrival.begun = 0;
  if (bytes == 0) {
    ++arrival.done;
  }
}

bool Grid::copies_now(Thread& thread, const void* word, const Copy& copy) {
  Arrival& arrival = arrival_at(thread, word);
  constexpr int line = 16;
  if (copy.bytes <= 0 || copy.bytes % line != 0 || copy.bytes > arrival.expected - arrival.begun ||
      arrival.copies.count == Copies::most) {
    fail(name_of(*thread.block, thread.number) + " copies " + std::to_string(copy.bytes) +
         " bytes in bulk where " + std::to_string(arrival.expected - arrival.begun) +
         " are expected, in lines of 16");
  }
  for (int i = 0; i < copy.bytes; i += line) {
    check_load(thread, static_cast<const char*>(copy.from) + i, line);
    check_shared(thread, static_cast<const char*>(copy.to) + i, line);
  }
  arrival.begun += copy.bytes;
  const bool now = (random_.next() & 1) != 0;
  if (!now) {
    arrival.copies.copy[arrival.copies.count++] = copy;
  }
  return now;
}

void Grid::copied(Thread& thread, const void* word) { publish(&arrival_at(thread, word).order); }

Copies Grid::wait_for_arrival(Thread& thread, const void* word, std::uint32_t parity) {
  constexpr int most_pauses = 1 << 24;
  for (int pauses = 0; pauses < most_pauses; ++pauses) {
    Arrival& arrival = arrival_at(thread, word);
    if ((static_cast<std::uint32_t>(arrival.done) & 1U) != parity) {
      learn(&arrival.order);
      return {};
    }
    if (arrival.expected != 0 && arrival.begun == arrival.expected) {
      learn(&arrival.order);
      if (arrival.copies.count == 0) {
        end_arrival(thread, word);
      }
      return arrival.copies;
    }
    pause(thread);
  }
  fail(name_of(*thread.block, thread.number) + " waits for what nobody copies");
}

void Grid::end_arrival(Thread& thread, const void* word) {
  Arrival& arrival = arrival_at(thread, word);
  arrival.copies.count = 0;
  arrival.expected = 0;
  ++arrival.done;
  publish(&arrival.order);
}

// Loads change between the allocations of a kernel all the time, so no sentence is made for a load
// that is right.
void Grid::check_load_slowly(Thread& thread, std::uintptr_t address, std::size_t bytes) {
  if (address % bytes == 0) {
    extent_ = find_(owner_, address);
    if (extent_.bytes != 0 && bytes <= extent_.bytes - (address - extent_.first)) {
      return;
    }
  }
  fail_by_load(thread, address, bytes);
}

void Grid::fail_by_load(const Thread& thread, std::uintptr_t address, std::size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%#zx", static_cast<std::size_t>(address));
  const std::string what = name_of(*thread.block, thread.number) + " loads " +
                           std::to_string(bytes) + " bytes at " + text;
  if (address % bytes != 0) {
    fail(what + ", which is no multiple of that");
  }
  if (extent_.bytes == 0) {
    fail(what + ", where its device has no memory");
  }
  fail(what + ", past the end of an allocation of " + std::to_string(extent_.bytes) + " bytes");
}

void Grid::check_shared(Thread& thread, const void* address, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(thread.block->shared);
  const auto at = reinterpret_cast<std::uintptr_t>(address) - first;
  if (at % bytes != 0 || work_.shared_bytes < bytes || at > work_.shared_bytes - bytes) {
    fail(name_of(*thread.block, thread.number) + " copies " + std::to_string(bytes) +
         " bytes to byte " + std::to_string(at) + " of its " + std::to_string(work_.shared_bytes) +
         " bytes of shared memory");
  }
}

// ---- warps and blocks --------------------------------------------------------------------------

void Grid::can_run(Warp& warp) {
  warp.place = runnable_.size();
  runnable_.push_back(&warp);
}
void Grid::cannot_run(Warp& warp) {
  runnable_[warp.place] = runnable_.back();
  runnable_[warp.place]->place = warp.place;
  runnable_.pop_back();
  current_ = nullptr;
}

// Completes what a warp waits for once none of its threads can run on by itself.
void Grid::settle(Warp& warp) {
  if (stopped(warp, Stop::exchange) == every_lane_) {
    for (int lane = 1; lane < work_.wave_width; ++lane) {
      if (warp.masks[lane] != warp.masks[0] || warp.counts[lane] != warp.counts[0]) {
        fail(name_of(*warp.block, warp.first + lane) + " exchanges " +
             std::to_string(warp.counts[lane]) + " words with mask " +
             std::to_string(warp.masks[lane]) + ", lane 0 " + std::to_string(warp.counts[0]) +
             " words with mask " + std::to_string(warp.masks[0]) + ": these are different calls");
      }
    }
    ++warp.exchanges;
    stopped(warp, Stop::exchange) = 0;
    warp.ready = every_lane_;
  } else if (stopped(warp, Stop::warp_barrier) == every_lane_) {
    ++warp.warp_barriers;
    stopped(warp, Stop::warp_barrier) = 0;
    warp.ready = every_lane_;
  } else if (stopped(warp, Stop::loads_issued) == every_lane_) {
    stopped(warp, Stop::loads_issued) = 0;
    warp.ready = every_lane_;
  } else if (stopped(warp, Stop::barrier) == every_lane_) {
    settle_barrier(warp);
  } else if (stopped(warp, Stop::end) == every_lane_) {
    settle_end(warp);
  } else {
    diverged(warp);
  }
}

void Grid::settle_barrier(Warp& warp) {
  Block& block = *warp.block;
  cannot_run(warp);
  block.at_barrier += work_.wave_width;
  if (block.at_barrier == work_.threads) {
    ++block.barriers;
    block.at_barrier = 0;
    for (Warp& each : block.warps) {
      stopped(each, Stop::barrier) = 0;
      each.ready = every_lane_;
      can_run(each);
    }
  } else if (block.at_barrier + block.at_end == work_.threads) {
    diverged(warp);
  }
}

void Grid::settle_end(Warp& warp) {
  Block& block = *warp.block;
  cannot_run(warp);
  block.at_end += work_.wave_width;
  if (block.at_end == work_.threads) {
    finished_ = &block;
  } else if (block.at_barrier + block.at_end == work_.threads) {
    diverged(warp);
  }
}

// ---- errors ------------------------------------------------------------------------------------

// Called on a fiber, which is left for good.
void Grid::fail(const std::string& sentence) {
  error_ = sentence;
  Fiber nobody;
  Fiber::switch_to(nobody, *host_, true);
  std::abort();
}

// A function of its own, so that exchange() keeps a small frame.
[[gnu::noinline]] void Grid::fail_by_mask(const Thread& thread, int mask) {
  fail(name_of(*thread.block, thread.number) + " exchanges with mask " + std::to_string(mask) +
       ": a warp has " + std::to_string(work_.wave_width) + " threads");
}

// Reports that the threads of a warp, or the warps of a block, wait in different places, for ever.
void Grid::diverged(const Warp& warp) {
  const Block& block = *warp.block;
  const std::uint64_t exchanging = stopped(warp, Stop::exchange);
  if (exchanging != 0) {  // a thread whose partner is at another place, if there is one
    int lane = lowest(exchanging);
    for (int i = 0; i < work_.wave_width; ++i) {
      if ((exchanging & bit(i)) != 0 && (exchanging & bit(i ^ warp.masks[i])) == 0) {
        lane = i;
      }
    }
    const int away = (exchanging & bit(lane ^ warp.masks[lane])) == 0
                         ? lane ^ warp.masks[lane]
                         : lowest(every_lane_ & ~exchanging);
    fail(name_of(block, warp.first + lane) + " exchanges with lane " +
         std::to_string(lane ^ warp.masks[lane]) + ", but lane " + std::to_string(away) + " " +
         text_of(stop_of(warp, away)) + ": all threads of a warp must call");
  }
  for (const Stop why : {Stop::loads_issued, Stop::warp_barrier}) {
    if (stopped(warp, why) != 0) {
      const int lane = lowest(stopped(warp, why));
      const int away = lowest(every_lane_ & ~stopped(warp, why));
      fail(name_of(block, warp.first + lane) + " " + text_of(why) + ", but lane " +
           std::to_string(away) + " " + text_of(stop_of(warp, away)) +
           ": all threads of a warp must call");
    }
  }
  int waits = -1;
  int left = -1;
  for (const Thread* thread : block.threads) {
    const Stop why = stop_of(*thread->warp, thread->lane);
    waits = why == Stop::barrier ? thread->number : waits;
    left = why == Stop::end ? thread->number : left;
  }
  fail(name_of(block, waits) + " " + text_of(Stop::barrier) + ", but thread " +
       std::to_string(left) + " " + text_of(Stop::end) + ": all threads of a block must call");
}

}  // namespace isofold::simt

// Every entry point of a GPU backend with each operation of its platform failing in turn
// (backends/gpu/launch/fault_injection.hpp): one list of entry points and one judge, for the
// emulated GPUs (tests/simt) and real ones (tests/gpu). Through the public interface and the door
// alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <isofold/isofold.hpp>

namespace fault_sweep {

// The functions of a vendor that a test needs beside the library.
class Vendor {
 public:
  virtual ~Vendor() = default;
  virtual void* create_stream() = 0;
  virtual void destroy_stream(void* stream) = 0;
  virtual void begin_capture(void* stream) = 0;
  virtual bool replay_capture(void* stream) = 0;  // ends it; false where it was broken
  virtual int current_device() = 0;
  virtual void use_device(int device) = 0;
};

// ---- the door -----------------------------------------------------------------------------------

struct Seen {
  long operations = 0;
  long failed = 0;
  long memory = 0;
  long events = 0;
  long damaged = 0;
  std::string last;  // the kind of the operation that failed last
};

class Door {
 public:
  // Makes a backend describe itself, and so read the door's text.
  using Describe = std::function<std::string()>;

  explicit Door(Describe describe) : describe_(std::move(describe)) { say(""); }
  explicit Door(const std::string& backend)
      : Door([backend] { return std::string(isofold_backend_reason(backend.c_str())); }) {}
  ~Door() {
    unsetenv("ISOFOLD_TEST_FAULTS");
    describe_();
  }
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  // A new text, read at once.
  void say(const std::string& words) const {
    static long number = 0;
    const std::string text = std::to_string(++number) + "," + words;
    setenv("ISOFOLD_TEST_FAULTS", text.c_str(), 1);
    describe_();
  }
  Seen seen() const {
    const std::string text = describe_();
    const std::size_t begin = text.find("; faults: ");
    Seen seen;
    char last[32] = "";
    const int read =
        begin == std::string::npos
            ? 0
            : std::sscanf(text.c_str() + begin,
                          "; faults: operations=%ld failed=%ld last=%31s memory=%ld events=%ld "
                          "damaged=%ld",
                          &seen.operations, &seen.failed, last, &seen.memory, &seen.events,
                          &seen.damaged);
    EXPECT_EQ(6, read) << "the door is shut: " << text;
    seen.last = last;
    return seen;
  }

 private:
  Describe describe_;
};

// ---- the data, and where entry points leave their results ---------------------------------------

inline constexpr std::int64_t n = 20000;
inline constexpr std::int64_t rows = 60;  // of `length`
inline constexpr std::int64_t length = 300;
inline constexpr std::size_t result_words = 4096;
inline constexpr unsigned char untouched = 0x5a;

class Data {
 public:
  explicit Data(const std::string& backend, std::int32_t device = 0)
      : floats(backend, n * 4, device),
        doubles(backend, n * 8, device),
        mask(backend, n, device),
        bits(backend, n / 8, device),
        offsets(backend, (rows + 1) * 8, device),
        indices(backend, n * 4, device),
        pointers(backend, rows * 8, device),
        lengths(backend, rows * 8, device) {
    std::vector<float> x(n);
    std::vector<double> y(n);
    std::vector<std::uint8_t> taken(n);
    std::vector<std::int32_t> order(n);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      x[at] = static_cast<float>(i * 2654435761 % 1000 + 1) / 7;
      y[at] = static_cast<double>(i * 2654435761 % 997 + 1) / -3;
      taken[at] = static_cast<std::uint8_t>(i % 3 == 0 ? 0 : 255);
      order[at] = static_cast<std::int32_t>(i * 7919 % n);
    }
    std::vector<std::int64_t> begins(rows + 1);
    std::vector<std::int64_t> counts(rows, length);
    std::vector<const float*> arrays(rows);
    for (std::int64_t row = 0; row < rows; ++row) {
      begins[static_cast<std::size_t>(row)] = row * 17;
    }
    begins.back() = n;  // the last row is long enough for several blocks of a GPU
    for (std::int64_t row = 0; row < rows; ++row) {
      arrays[static_cast<std::size_t>(row)] = floats.as<float>() + row * 17;
    }
    fill(floats, x);
    fill(doubles, y);
    fill(mask, taken);
    fill(bits, std::vector<std::uint8_t>(n / 8, 0x6d));
    fill(offsets, begins);
    fill(indices, order);
    fill(pointers, arrays);
    fill(lengths, counts);
  }

  isofold::Buffer floats, doubles, mask, bits, offsets, indices, pointers, lengths;

 private:
  template <class T>
  static void fill(isofold::Buffer& buffer, const std::vector<T>& content) {
    buffer.copy_from(content.data(), content.size() * sizeof(T));
  }
};

// One run of an entry point, on a Reducer of its own.
class Scene {
 public:
  Scene(std::string name, Data& data, Vendor* its_vendor, std::int32_t its_device = -1)
      : backend(std::move(name)),
        vendor(its_vendor),
        device(its_device),
        data_(data),
        out_(backend, result_words * 4, its_device < 0 ? 0 : its_device) {
    std::memset(host, untouched, sizeof host);
    out_.copy_from(host, sizeof host);
    if (vendor != nullptr) {
      stream = vendor->create_stream();
      other_stream = vendor->create_stream();
    }
    open();
  }
  ~Scene() {
    reducer.reset();
    if (vendor != nullptr) {
      vendor->destroy_stream(stream);
      vendor->destroy_stream(other_stream);
    }
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  void open() {
    reducer = std::make_unique<isofold::Reducer>(backend.c_str(),
                                                 isofold::Options{}.stream(stream).device(device));
  }
  isofold::Reducer& reduce() const { return *reducer; }
  // The content of host memory and of the backend's memory, once that is written.
  std::vector<unsigned char> results() {
    reduce().synchronize();
    std::vector<unsigned char> bytes(2 * sizeof host);
    std::memcpy(bytes.data(), host, sizeof host);
    out_.copy_to(bytes.data() + sizeof host, sizeof host);
    return bytes;
  }

  isofold::Array<float> array() const { return isofold::array(data_.floats.as<float>(), n); }
  isofold::Box<float> box() const { return isofold::box(data_.floats.as<float>(), {8, 50, 50}); }
  const std::uint8_t* mask() const { return data_.mask.as<std::uint8_t>(); }
  const std::uint8_t* bits() const { return data_.bits.as<std::uint8_t>(); }
  Data& data() const { return data_; }
  template <class T>
  T* out() const {
    return out_.as<T>();
  }
  template <class T>
  T* host_at(std::size_t place) {
    return reinterpret_cast<T*>(host) + place;
  }
  // Many blocks and one launch, however few elements: a tile is a chunk.
  void sum_of_many_blocks(std::int64_t count, float* result, std::int32_t flags) {
    isofold_schedule wish{};
    wish.warps = 1;
    wish.chunks = 1;
    isofold_request request{};
    request.size = sizeof request;
    request.definition = ISOFOLD_DEFINITION_tree_v1;
    request.fold = ISOFOLD_FOLD_sum;
    request.type = ISOFOLD_TYPE_f32;
    request.shape = ISOFOLD_SHAPE_array;
    request.flags = flags;
    request.data = data_.floats.as<float>();
    request.rows = 1;
    request.length = count;
    request.stride = count;
    request.result = result;
    request.schedule = vendor != nullptr ? &wish : nullptr;
    isofold::check(isofold_reduce(reduce().handle(), &request));
  }
  // More nodes and counters than anything here takes, without its elements.
  void reserve_much() {
    isofold_schedule wish{};
    wish.warps = 1;
    wish.chunks = 1;
    isofold_request request{};
    request.size = sizeof request;
    request.definition = ISOFOLD_DEFINITION_tree_v1;
    request.fold = ISOFOLD_FOLD_sum;
    request.type = ISOFOLD_TYPE_f32;
    request.shape = ISOFOLD_SHAPE_rows;
    request.rows = 10000;
    request.length = 2049;
    request.stride = 2049;
    request.schedule = vendor != nullptr ? &wish : nullptr;
    isofold::check(isofold_reserve(reduce().handle(), &request));
  }
  void begin_capture() const {
    if (vendor != nullptr) {
      vendor->begin_capture(stream);
    }
  }
  void replay_capture() const {
    if (vendor != nullptr) {
      EXPECT_TRUE(vendor->replay_capture(stream)) << "the capture was broken";
    }
  }

  std::string backend;
  Vendor* vendor;
  std::int32_t device;
  void* stream = nullptr;
  void* other_stream = nullptr;
  std::unique_ptr<isofold::Reducer> reducer;
  alignas(16) unsigned char host[result_words * 4];

 private:
  Data& data_;
  isofold::Buffer out_;
};

// ---- the entry points ---------------------------------------------------------------------------

using Step = std::function<void(Scene&)>;
struct Entry {
  const char* name;
  Step call;     // while an operation fails
  Step prepare;  // before that, where nothing does
  Step finish;   // afterwards, whether the call failed or not
  bool has_code = true;
};

inline Entry entry(const char* name, Step call, Step prepare = nullptr, Step finish = nullptr) {
  return {name, std::move(call), std::move(prepare), std::move(finish), true};
}

// Blocking calls and calls into memory of the backend, of each shape and kind of kernel.
inline std::vector<Entry> reductions() {
  using isofold::Reducer;
  return {
      entry("array", [](Scene& s) { *s.host_at<float>(0) = s.reduce().sum(s.array()); }),
      entry("array of many blocks",
            [](Scene& s) { s.sum_of_many_blocks(7001, s.host_at<float>(0), ISOFOLD_BLOCKING); }),
      entry("array to memory", [](Scene& s) { s.sum_of_many_blocks(7001, s.out<float>(), 0); }),
      entry("array of nothing to memory",
            [](Scene& s) {
              s.reduce().sum(isofold::array(static_cast<const float*>(nullptr), 0), s.out<float>());
            }),
      entry("array of f64",
            [](Scene& s) {
              *s.host_at<double>(0) =
                  s.reduce().maximum(isofold::array(s.data().doubles.as<double>(), n));
            }),
      entry("two arrays",
            [](Scene& s) { *s.host_at<float>(0) = s.reduce().dot(s.array(), s.array()); }),
      entry("two stages",
            [](Scene& s) {
              const auto found = s.reduce().moments(s.array());
              std::memcpy(s.host, &found, sizeof found);
            }),
      entry(
          "short rows",
          [](Scene& s) { s.reduce().sum(isofold::rows(s.array().data, 500, 7), s.out<float>()); }),
      entry("rows",
            [](Scene& s) {
              s.reduce().sum(isofold::rows(s.array().data, rows, length), s.out<float>());
            }),
      entry("rows to the host",
            [](Scene& s) {
              const std::vector<float> sums =
                  s.reduce().sum(isofold::rows(s.array().data, rows, length));
              std::copy(sums.begin(), sums.end(), s.host_at<float>(0));
            }),
      entry("fused rows to the host",
            [](Scene& s) {
              const auto [sums, again] = s.reduce().reduce(
                  fuse(isofold::sum, isofold::sum), isofold::rows(s.array().data, rows, length));
              std::copy(sums.begin(), sums.end(), s.host_at<float>(0));
              std::copy(again.begin(), again.end(), s.host_at<float>(sums.size()));
            }),
      entry("box", [](Scene& s) { *s.host_at<float>(0) = s.reduce().sum(interior(s.box(), 1)); }),
      entry("axes",
            [](Scene& s) {
              s.reduce().sum(over(s.box(), {0, 2}), s.out<float>());
            }),
      entry("mask",
            [](Scene& s) { *s.host_at<float>(0) = s.reduce().sum(masked(s.array(), s.mask())); }),
      entry("mask of a fold without an empty value",
            [](Scene& s) {
              *s.host_at<double>(0) = s.reduce().maximum(
                  masked(isofold::array(s.data().doubles.as<double>(), n), s.mask()));
            }),
      entry("mask of bits over axes",
            [](Scene& s) {
              s.reduce().sum(masked_by_bits(over(s.box(), {1, 2}), s.bits()), s.out<float>());
            }),
      entry("segments",
            [](Scene& s) {
              s.reduce().sum(
                  isofold::segments(s.array().data, s.data().offsets.as<std::int64_t>(), rows, n),
                  s.out<float>());
            }),
      entry("gather",
            [](Scene& s) {
              *s.host_at<float>(0) = s.reduce().sum(
                  isofold::gather(s.array().data, s.data().indices.as<std::int32_t>(), n, n));
            }),
      entry("batch",
            [](Scene& s) {
              s.reduce().sum(isofold::batch(s.data().pointers.as<const float*>(),
                                            s.data().lengths.as<std::int64_t>(), rows),
                             s.out<float>());
            }),
      entry("fused",
            [](Scene& s) {
              const auto found =
                  s.reduce().reduce(isofold::fuse(isofold::sum, isofold::moments), s.array());
              std::memcpy(s.host, &std::get<0>(found), sizeof(float));
              std::memcpy(s.host + 64, &std::get<1>(found), sizeof(std::get<1>(found)));
            }),
      entry("fused to memory",
            [](Scene& s) {
              s.reduce().reduce(isofold::fuse(isofold::sum, isofold::moments), s.array(),
                                s.out<float>(),
                                reinterpret_cast<isofold::result_t<isofold::Fold::moments, float>*>(
                                    s.out<char>() + 64));
            }),
      entry(
          "a larger array after a small one",
          [](Scene& s) { s.sum_of_many_blocks(n, s.host_at<float>(1), ISOFOLD_BLOCKING); },
          [](Scene& s) { s.sum_of_many_blocks(2048, s.host_at<float>(0), ISOFOLD_BLOCKING); }),
      entry(
          "rows of many blocks after few",
          [](Scene& s) {
            s.reduce().sum(isofold::rows(s.array().data, 2, n / 2), s.out<float>());
            *s.host_at<float>(1) = s.reduce().sum(masked(s.array(), s.mask()));
          },
          [](Scene& s) { *s.host_at<float>(0) = s.reduce().sum(s.array()); }),
  };
}

// Reservations, of each shape that has a plan of its own; the call that was reserved for follows.
inline std::vector<Entry> reservations() {
  std::vector<Entry> entries;
  const auto add = [&](const char* name, auto fold, auto shape, auto reduce) {
    entries.push_back(entry(
        name, [=](Scene& s) { s.reduce().reserve(fold, shape(s)); }, nullptr, reduce));
  };
  const auto array = [](Scene& s) { return s.array(); };
  add("reserve array", isofold::sum, array,
      [=](Scene& s) { *s.host_at<float>(0) = s.reduce().sum(array(s)); });
  const auto some_rows = [](Scene& s) { return isofold::rows(s.array().data, 2, n / 2); };
  add("reserve rows", isofold::sum, some_rows,
      [=](Scene& s) { s.reduce().sum(some_rows(s), s.out<float>()); });
  const auto mask = [](Scene& s) { return masked(s.array(), s.mask()); };
  add("reserve mask", isofold::sum, mask,
      [=](Scene& s) { *s.host_at<float>(0) = s.reduce().sum(mask(s)); });
  const auto segments = [](Scene& s) {
    return isofold::segments(s.array().data, s.data().offsets.as<std::int64_t>(), rows, n);
  };
  add("reserve segments", isofold::sum, segments,
      [=](Scene& s) { s.reduce().sum(segments(s), s.out<float>()); });
  const auto gather = [](Scene& s) {
    return isofold::gather(s.array().data, s.data().indices.as<std::int32_t>(), n, n);
  };
  add("reserve gather", isofold::sum, gather,
      [=](Scene& s) { *s.host_at<float>(0) = s.reduce().sum(gather(s)); });
  const auto batch = [](Scene& s) {
    return isofold::batch(s.data().pointers.as<const float*>(), s.data().lengths.as<std::int64_t>(),
                          rows);
  };
  add("reserve batch", isofold::sum, batch,
      [=](Scene& s) { s.reduce().sum(batch(s), s.out<float>()); });
  return entries;
}

// A Forest of the data on the device, cut where chunks are.
inline void add_to_forest(Scene& s, isofold::Forest<isofold::Fold::sum, float>& forest,
                          std::int64_t first, std::int64_t last) {
  forest.add(s.reduce(), s.array().data + first, first, last - first);
}
inline Entry forest_entry() {
  using Forest = isofold::Forest<isofold::Fold::sum, float>;
  const auto forest = std::make_shared<std::unique_ptr<Forest>>();
  return entry(
      "forest", [=](Scene& s) { add_to_forest(s, **forest, 700, 9000); },
      [=](Scene& s) {
        *forest = std::make_unique<Forest>(n);
        add_to_forest(s, **forest, 0, 700);
      },
      [=](Scene& s) {
        Forest rest(n);
        add_to_forest(s, rest, 9000, n);
        (*forest)->merge(rest);
        if (!(*forest)->complete()) {  // a failed addition left nothing behind
          add_to_forest(s, **forest, 700, 9000);
        }
        *s.host_at<float>(0) = (*forest)->finish();
      });
}

// Entries that are not one reduction: life, streams, captures, memory.
inline std::vector<Entry> life() {
  std::vector<Entry> entries{
      entry(
          "create", [](Scene& s) { s.open(); }, [](Scene& s) { s.reducer.reset(); },
          [](Scene& s) {
            if (s.reducer == nullptr) {
              s.open();
            }
          }),
      entry(
          "the first call of a Reducer that chooses",
          [](Scene& s) { *s.host_at<float>(0) = s.reduce().sum(s.array()); },
          [](Scene& s) {
            s.reducer = std::make_unique<isofold::Reducer>(
                s.vendor != nullptr ? nullptr : s.backend.c_str(),
                isofold::Options{}.stream(s.stream).device(s.device));
          }),
      entry(
          "set_stream", [](Scene& s) { s.reduce().set_stream(s.other_stream); },
          [](Scene& s) { s.sum_of_many_blocks(7001, s.out<float>(), 0); },
          [](Scene& s) { s.sum_of_many_blocks(9001, s.out<float>() + 1, 0); }),
      entry(
          "synchronize", [](Scene& s) { s.reduce().synchronize(); },
          [](Scene& s) { s.sum_of_many_blocks(7001, s.out<float>(), 0); }),
      entry(
          "captured call", [](Scene& s) { s.sum_of_many_blocks(7001, s.out<float>(), 0); },
          [](Scene& s) {
            s.reduce().reserve(isofold::sum, s.array());
            s.reduce().synchronize();
            s.begin_capture();
          },
          [](Scene& s) { s.replay_capture(); }),
      entry(
          "captured mask",
          [](Scene& s) {
            s.reduce().sum(masked_by_bits(over(s.box(), {1, 2}), s.bits()), s.out<float>());
          },
          [](Scene& s) {
            s.reduce().reserve(isofold::sum, masked_by_bits(over(s.box(), {1, 2}), s.bits()));
            s.reduce().synchronize();
            s.begin_capture();
          },
          [](Scene& s) { s.replay_capture(); }),
      entry(
          "reserve more after a call", [](Scene& s) { s.reserve_much(); },
          [](Scene& s) { s.sum_of_many_blocks(7001, s.out<float>(), 0); },
          [](Scene& s) { s.sum_of_many_blocks(n, s.out<float>() + 1, 0); }),
      entry(
          "reserve more after a capture", [](Scene& s) { s.reserve_much(); },
          [](Scene& s) {
            s.reduce().reserve(isofold::sum, s.array());
            s.reduce().synchronize();
            s.begin_capture();
            s.sum_of_many_blocks(7001, s.out<float>(), 0);
            s.replay_capture();
          },
          [](Scene& s) { s.sum_of_many_blocks(n, s.out<float>() + 1, 0); }),
      entry("allocate and copy",
            [](Scene& s) {
              isofold::Buffer made(s.backend, 64, s.device < 0 ? 0 : s.device);
              const float sent = 3;
              made.copy_from(&sent, sizeof sent);
              made.copy_to(s.host, sizeof sent);
            }),
      entry("device name",
            [](Scene& s) {
              char text[128];
              isofold::check(isofold_backend_device_name(s.backend.c_str(), 0, text, sizeof text));
            }),
      forest_entry(),
  };
  Entry destroy = entry(
      "destroy", [](Scene& s) { s.reducer.reset(); },
      [](Scene& s) { s.sum_of_many_blocks(7001, s.out<float>(), 0); }, [](Scene& s) { s.open(); });
  destroy.has_code = false;
  entries.push_back(destroy);
  return entries;
}

inline std::vector<Entry> every_entry() {
  std::vector<Entry> entries = reductions();
  for (const auto& more : {reservations(), life()}) {
    entries.insert(entries.end(), more.begin(), more.end());
  }
  return entries;
}

// ---- the judge ----------------------------------------------------------------------------------

// Each word of the results is right or, unless all of them must be there, was never written.
inline void expect_nothing_wrong(const std::vector<unsigned char>& found,
                                 const std::vector<unsigned char>& wanted, const std::string& where,
                                 bool all) {
  constexpr unsigned char kept[] = {untouched, untouched, untouched, untouched};
  for (std::size_t i = 0; i + 4 <= found.size(); i += 4) {
    const bool right = std::memcmp(&found[i], &wanted[i], 4) == 0;
    if (!right && (all || std::memcmp(&found[i], kept, 4) != 0)) {
      ADD_FAILURE() << where << "; byte " << i << " of the results is wrong";
      return;
    }
  }
}

struct Answer {
  isofold::Code code = isofold::Code::ok;
  std::string sentence;
};
inline Answer run(const Step& step, Scene& scene) {
  try {
    if (step) {
      step(scene);
    }
  } catch (const isofold::Error& error) {
    return {error.code(), error.what()};
  } catch (const std::bad_alloc&) {  // of the test's own, where host memory runs out
    return {isofold::Code::out_of_memory, "the caller's own memory"};
  }
  return {};
}

class Sweep {
 public:
  Sweep(std::string backend, Vendor& vendor, std::int32_t device = -1)
      : backend_(std::move(backend)),
        vendor_(vendor),
        device_(device),
        door_(backend_),
        data_(backend_, device < 0 ? 0 : device),
        host_data_("reference") {}

  // Each operation of the entry fails in turn, all the while with `words` at the door. Returns how
  // many there are.
  long fail_each(const Entry& entry, const std::string& words = "") {
    const auto wanted = wanted_of(entry);
    words_ = words;
    door_.say(words_);
    for (long k = 1; k < 1000; ++k) {
      const Seen before = door_.seen();
      bool failed = false;
      {
        Scene scene(backend_, data_, &vendor_, device_);
        failed = fail_one(entry, k, scene, wanted);
        still_works(entry, scene, wanted);
      }
      nothing_is_left(before, entry.name);
      if (!failed || testing::Test::HasFatalFailure()) {
        return k - 1;
      }
    }
    ADD_FAILURE() << entry.name << ": there is no end to the operations";
    return 0;
  }

  // The device is lost at each operation in turn: every call after it says so. Returns how many.
  long lose_at_each(const Entry& entry) {
    const auto wanted = wanted_of(entry);
    for (long k = 1; k < 1000; ++k) {
      const Seen before = door_.seen();
      bool lost = false;
      {
        Scene scene(backend_, data_, &vendor_, device_);
        lost = lose_once(entry, k, scene, wanted);
      }
      nothing_is_left(before, entry.name);
      if (!lost || testing::Test::HasFatalFailure()) {
        return k - 1;
      }
    }
    ADD_FAILURE() << entry.name << ": there is no end to the operations";
    return 0;
  }

  // Each release reports a failure in turn, as a vendor's does of what failed before it: no call
  // fails for it, and the memory goes. Returns how many there are.
  long fail_each_release(const Entry& entry) {
    const auto wanted = wanted_of(entry);
    for (long k = 1; k < 1000; ++k) {
      const Seen before = door_.seen();
      door_.say("release=" + std::to_string(k));
      {
        Scene scene(backend_, data_, &vendor_, device_);
        still_works(entry, scene, wanted);
      }
      const Seen seen = door_.seen();
      nothing_is_left(before, entry.name);
      if (seen.failed == 0) {
        return k - 1;
      }
    }
    ADD_FAILURE() << entry.name << ": there is no end to the releases";
    return 0;
  }

  // The vendor's memory holds what it likes; nothing is written beside it.
  void poison(const Entry& entry, const std::string& pattern) {
    const Seen before = door_.seen();
    door_.say("poison=" + pattern);
    {
      Scene scene(backend_, data_, &vendor_, device_);
      for (int time = 0; time < 2; ++time) {
        for (const Step& step : {entry.prepare, entry.call, entry.finish}) {
          const Answer answer = run(step, scene);
          EXPECT_EQ(isofold::Code::ok, answer.code) << entry.name << ": " << answer.sentence;
        }
      }
      EXPECT_TRUE(wanted_of(entry) == scene.results()) << entry.name << ", poison " << pattern;
    }
    nothing_is_left(before, entry.name);
    door_.say("");
  }

  // Every entry point, of this Reducer and of new ones; no result is touched.
  void all_is_lost(Scene& scene, const std::string& where) {
    const Bytes before(scene.host, scene.host + sizeof scene.host);
    if (scene.reducer != nullptr) {
      // One that chooses may have opened no place yet: there is nothing to wait for then.
      const bool opened = scene.reduce().backend()[0] != '\0';
      for (const Entry& other : lasting_entries()) {
        const Answer answer = run(other.call, scene);
        if (!opened && asks_open_places(other)) {
          continue;
        }
        EXPECT_EQ(isofold::Code::device_lost, answer.code)
            << where << "; then " << other.name << ": " << answer.sentence;
      }
    }
    for (const char* name : {backend_.c_str(), static_cast<const char*>(nullptr)}) {
      const Answer answer = run(
          [&](Scene& s) {
            isofold::Reducer fresh(name);
            *s.host_at<float>(0) = fresh.sum(s.array());
          },
          scene);
      EXPECT_EQ(isofold::Code::device_lost, answer.code)
          << where << "; then a fresh Reducer: " << answer.sentence;
    }
    EXPECT_TRUE(before == Bytes(scene.host, scene.host + sizeof scene.host))
        << where << ": a number came from a lost device";
  }
  Door& door() { return door_; }
  Data& data() { return data_; }
  // By the kind of the operation that failed.
  const std::map<std::string, long>& kinds() const { return kinds_; }

 private:
  using Bytes = std::vector<unsigned char>;

  const Bytes& wanted_of(const Entry& entry) {
    const auto found = wanted_.find(entry.name);
    if (found != wanted_.end()) {
      return found->second;
    }
    Scene scene("reference", host_data_, nullptr);
    for (const Step& step : {entry.prepare, entry.call, entry.finish}) {
      const Answer answer = run(step, scene);
      EXPECT_EQ(isofold::Code::ok, answer.code) << entry.name << ": " << answer.sentence;
    }
    return wanted_[entry.name] = scene.results();
  }

  bool fail_one(const Entry& entry, long k, Scene& scene, const Bytes& wanted) {
    EXPECT_EQ(isofold::Code::ok, run(entry.prepare, scene).code) << isofold_last_error();
    door_.say("any=" + std::to_string(k) + "," + words_);
    const Answer answer = run(entry.call, scene);
    const Seen seen = door_.seen();
    door_.say(words_);
    const std::string where = std::string(entry.name) + ", operation " + std::to_string(k) + " (" +
                              seen.last + "): " + answer.sentence;
    if (seen.failed == 0) {
      EXPECT_EQ(isofold::Code::ok, answer.code) << where;
    } else {
      ++kinds_[seen.last];
      judge(entry, seen, answer, where);
    }
    if (seen.last != "device") {  // giving the caller's device back may be what failed
      EXPECT_EQ(callers_device_, vendor_.current_device()) << where;
    }
    vendor_.use_device(callers_device_);
    const Answer finished = run(entry.finish, scene);
    EXPECT_EQ(isofold::Code::ok, finished.code) << where << "; then " << finished.sentence;
    expect_nothing_wrong(scene.reducer != nullptr ? scene.results() : Bytes{}, wanted, where,
                         answer.code == isofold::Code::ok);
    return seen.failed != 0;
  }

  static void judge(const Entry& entry, const Seen& seen, const Answer& answer,
                    const std::string& where) {
    if (answer.code == isofold::Code::ok) {
      const bool harmless = seen.last == "place" || seen.last == "device" || !entry.has_code;
      EXPECT_TRUE(harmless) << where << "no error";
      return;
    }
    EXPECT_EQ(
        seen.last == "allocation" ? isofold::Code::out_of_memory : isofold::Code::device_failure,
        answer.code)
        << where;
    const bool why = contains(answer.sentence, seen.last == "allocation" ? "memory" : "by a test");
    const bool who = contains(answer.sentence, "ackend ") || contains(answer.sentence, "Device ");
    EXPECT_TRUE(who && (why || std::strcmp(entry.name, "device name") == 0)) << where;
  }

  static bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  }

  // Another call first: it counts blocks with the counters that a failed one may have left. Then
  // the same once more.
  void still_works(const Entry& entry, Scene& scene, const Bytes& wanted) {
    if (scene.reducer != nullptr) {
      float other = 0;
      const auto sum = [&](Scene& s) { s.sum_of_many_blocks(n, &other, ISOFOLD_BLOCKING); };
      EXPECT_EQ("", run(sum, scene).sentence) << "after " << entry.name;
      EXPECT_EQ(whole_sum(), other) << "after " << entry.name;
    }
    for (const Step& step : {entry.prepare, entry.call, entry.finish}) {
      const Answer answer = run(step, scene);
      EXPECT_EQ(isofold::Code::ok, answer.code) << entry.name << " again: " << answer.sentence;
    }
    if (scene.reducer != nullptr) {
      expect_nothing_wrong(scene.results(), wanted, std::string(entry.name) + " again", true);
    }
  }
  float whole_sum() {
    if (whole_sum_ == 0) {
      isofold::Reducer reference("reference");
      whole_sum_ = reference.sum(isofold::array(host_data_.floats.as<float>(), n));
    }
    return whole_sum_;
  }

  void nothing_is_left(const Seen& before, const char* name) {
    const Seen after = door_.seen();
    EXPECT_EQ(before.memory, after.memory) << name << " left memory behind";
    EXPECT_EQ(before.events, after.events) << name << " left events behind";
    EXPECT_EQ(before.damaged, after.damaged) << name << " wrote beside its memory";
  }

  bool lose_once(const Entry& entry, long k, Scene& scene, const Bytes& wanted) {
    EXPECT_EQ(isofold::Code::ok, run(entry.prepare, scene).code) << isofold_last_error();
    door_.say("lost=" + std::to_string(k));
    const Answer answer = run(entry.call, scene);
    const Seen seen = door_.seen();
    const std::string where = std::string(entry.name) + ", lost at operation " + std::to_string(k) +
                              " (" + seen.last + "): " + answer.sentence;
    if (seen.failed == 0) {
      EXPECT_EQ(isofold::Code::ok, answer.code) << where;
      run(entry.finish, scene);
      door_.say("");
      return false;
    }
    if (answer.code != isofold::Code::ok) {
      EXPECT_EQ(isofold::Code::device_lost, answer.code) << where;
    } else {
      const bool at_the_end = seen.failed == 1 || seen.last == "release";
      EXPECT_TRUE(at_the_end || !entry.has_code) << where << "no error";
    }
    all_is_lost(scene, where);
    door_.say("");
    expect_nothing_wrong(Bytes(scene.host, scene.host + sizeof scene.host), wanted, where, false);
    run(entry.finish, scene);  // ends a capture
    return true;
  }

  static bool asks_open_places(const Entry& entry) {
    return std::strcmp(entry.name, "synchronize") == 0 ||
           std::strcmp(entry.name, "set_stream") == 0;
  }
  static const std::vector<Entry>& lasting_entries() {
    static const std::vector<Entry> entries = [] {
      std::vector<Entry> chosen = reductions();
      for (const Entry& reservation : reservations()) {
        chosen.push_back(reservation);
      }
      for (const Entry& other : life()) {
        const std::string name = other.name;
        if (name == "set_stream" || name == "synchronize" || name == "allocate and copy") {
          chosen.push_back(other);
        }
      }
      return chosen;
    }();
    return entries;
  }

  std::string backend_;
  Vendor& vendor_;
  int callers_device_ = vendor_.current_device();
  std::int32_t device_;
  Door door_;
  Data data_;
  Data host_data_;
  std::string words_;
  std::map<std::string, Bytes> wanted_;
  std::map<std::string, long> kinds_;
  float whole_sum_ = 0;
};

// "31 entry points, 402 operations: allocation 61, copy 40, ...".
inline void print(const char* what, std::size_t entries, long operations,
                  const std::map<std::string, long>& kinds) {
  std::printf("%s: %zu entry points, %ld operations", what, entries, operations);
  const char* between = ": ";
  for (const auto& [kind, count] : kinds) {
    std::printf("%s%s %ld", between, kind.c_str(), count);
    between = ", ";
  }
  std::printf("\n");
}

}  // namespace fault_sweep

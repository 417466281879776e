// The operations of a Forest: insert, join, merge, finish and bytes, compiled once for each size of
// states, and behind the C ABI.
#include <api/forest.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <memory>

#include <api/checksum.hpp>
#include <api/errors.hpp>
#include <api/float_environment.hpp>
#include <api/reducer.hpp>
#include <backend/registry.hpp>
#include <isofold/detail/core/chunk.hpp>
#include <ops/any_fold.hpp>
#include <ops/supported_cases.hpp>
#include <request/converted_elements.hpp>
#include <request/parameters.hpp>
#include <request/unknown_number.hpp>
#include <request/validate.hpp>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "Forests are written as they lie in memory, which is the little-endian order.");

namespace isofold {
namespace {

using backend_interface::Report;
using core::chunk_elements;
using core::chunk_shift;

// Elements are bytes here; only the fold knows more of them.
using Byte = unsigned char;

// The bytes of a Forest, its checksum included, which padding may follow; 0 where they are cut.
std::size_t length_of_forest(const ForestHeader& header, const Byte* begin, std::size_t bytes) {
  const std::size_t end = bytes - sizeof(std::uint64_t);
  constexpr std::size_t place = 2 * sizeof(std::int64_t);
  if (header.nodes > (end - sizeof header) / (place + header.state_bytes)) {
    return 0;
  }
  std::size_t at = sizeof header + header.nodes * (place + header.state_bytes);
  for (std::uint64_t i = 0; i < header.ranges; ++i) {
    if (end - at < place) {
      return 0;
    }
    std::uint64_t elements = 0;
    std::memcpy(&elements, begin + at + sizeof(std::int64_t), sizeof elements);
    at += place;
    if (elements > (end - at) / std::max(header.element_bytes, 1U)) {
      return 0;
    }
    at += elements * header.element_bytes;
  }
  return at + sizeof(std::uint64_t);
}

// A state, aligned as any of that size may be.
template <std::size_t size>
struct alignas(size % 8 == 0 ? 8 : 4) Bytes {
  static_assert(size % 4 == 0, "States are made of words of 4 bytes.");
  Byte byte[size];
};

struct PlainChunk {
  template <class Fold>
  static typename Fold::state_type fold(const Fold& fold, core::Elements<Fold> x,
                                        std::int64_t begin, int count) {
    return core::fold_chunk(fold, x, begin, count);
  }
};

template <std::size_t state_bytes>
class TypedForest final : public isofold_forest {
 public:
  using State = Bytes<state_bytes>;

  TypedForest(const AnyFold& any, std::int32_t fold, std::int32_t type, std::int64_t count)
      : isofold_forest(fold, type, count),
        any_(&any),
        element_bytes_(isofold_type_bytes(type)),
        chunks_(core::chunk_count(count)) {}

  isofold_forest* copy() const override { return new TypedForest(*this); }

  std::int32_t add(isofold_reducer& reducer, const void* data, std::int64_t first,
                   std::int64_t length, Report& report) override {
    TypedForest piece(*any_, fold, type, count);
    const std::int32_t code =
        piece.take(reducer, static_cast<const Byte*>(data), first, length, report);
    return code == ISOFOLD_ok ? unite(piece, report) : code;
  }

  std::int32_t merge(const isofold_forest& other, Report& report) override {
    if (other.fold != fold || other.type != type || other.count != count) {
      return report.fail(ISOFOLD_mismatch,
                         "A Forest of %s over %" PRId64 " %s cannot take one of %s "
                         "over %" PRId64 " %s; only pieces of the same array unite.",
                         isofold_fold_name(fold), count, isofold_type_name(type),
                         isofold_fold_name(other.fold), other.count, isofold_type_name(other.type));
    }
    // may throw before anything has changed
    TypedForest piece(static_cast<const TypedForest&>(other));
    return unite(piece, report);
  }

  std::int32_t finish(void* result, Report& report) const override {
    const FloatEnvironment environment;
    if (count == 0) {
      any_->empty(result);
      return ISOFOLD_ok;
    }
    if (!complete()) {
      return report.fail(ISOFOLD_incomplete,
                         "This Forest covers its %" PRId64 " elements only in "
                         "part; missing: %s.",
                         count, missing().c_str());
    }
    any_->finish(&nodes_.begin()->second.state, count, result);
    return ISOFOLD_ok;
  }

  bool complete() const override {
    return count == 0 ||
           (nodes_.size() == 1 && nodes_.begin()->second.level == core::root_level(chunks_));
  }

  std::vector<unsigned char> to_bytes() const override;
  std::int32_t read(const unsigned char* bytes, std::size_t size, Report& report) override;

 private:
  struct Node {
    int level;
    State state;
  };
  using NodeMap = std::map<std::int64_t, Node>;  // by first chunk
  // A chunk that is not owned whole: its raw elements, since its lanes cross the cut.
  struct Partial {
    std::vector<Byte> elements;
    std::bitset<chunk_elements> owned;

    // use(begin, end) for each range of elements that are owned side by side.
    template <class Use>
    void for_each_range(Use&& use) const {
      for (std::size_t begin = 0; begin < chunk_elements; ++begin) {
        std::size_t end = begin;
        while (end < chunk_elements && owned[end]) {
          ++end;
        }
        if (end > begin) {
          use(begin, end);
          begin = end;
        }
      }
    }
  };

  std::size_t bytes_of(std::int64_t elements) const {
    return static_cast<std::size_t>(elements * element_bytes_);
  }
  int elements_of(std::int64_t chunk) const {
    return static_cast<int>(std::min<std::int64_t>(chunk_elements, count - (chunk << chunk_shift)));
  }
  // One past the last chunk of the node that starts at chunk `begin`.
  std::int64_t end_of(std::int64_t begin, int level) const {
    return ((chunks_ - begin) >> level) == 0 ? chunks_ : begin + (std::int64_t{1} << level);
  }

  // Joins siblings upwards. A node whose right sibling does not exist passes on unchanged. `place`
  // holds the node and the memory that it will lie in, so that nothing can fail here.
  void insert(typename NodeMap::node_type place) {
    const int root = core::root_level(chunks_);
    std::int64_t begin = place.key();
    Node node = place.mapped();
    while (node.level < root) {
      const std::int64_t size = std::int64_t{1} << node.level;
      const bool is_left = ((begin >> node.level) & 1) == 0;
      const bool alone = is_left && chunks_ - begin <= size;
      if (!alone) {
        const auto sibling = nodes_.find(is_left ? begin + size : begin - size);
        if (sibling == nodes_.end() || sibling->second.level != node.level) {
          break;
        }
        const State& other = sibling->second.state;
        any_->combine(is_left ? &node.state : &other, is_left ? &other : &node.state, &node.state);
        begin = std::min(begin, sibling->first);
        nodes_.erase(sibling);
      }
      ++node.level;
    }
    place.key() = begin;
    place.mapped() = node;
    nodes_.insert(std::move(place));
  }
  void insert(std::int64_t begin, Node node) {
    NodeMap one{{begin, node}};
    insert(one.extract(one.begin()));
  }

  // Raw elements [first, first + length) of one chunk; a chunk that becomes whole becomes a node.
  void insert_raw(std::int64_t first, int length, const Byte* x) {
    const std::int64_t chunk = first >> chunk_shift;
    const int size = elements_of(chunk);
    Partial& partial = partials_[chunk];
    partial.elements.resize(bytes_of(size));
    const auto offset = static_cast<std::size_t>(first & (chunk_elements - 1));
    std::memcpy(partial.elements.data() + bytes_of(first & (chunk_elements - 1)), x,
                bytes_of(length));
    for (std::size_t i = offset; i < offset + static_cast<std::size_t>(length); ++i) {
      partial.owned.set(i);
    }
    NodeMap place{{chunk, Node{}}};
    settle(chunk, place);
  }
  // Turns a chunk that is whole into a node, in the memory of one of `places`.
  void settle(std::int64_t chunk, NodeMap& places) {
    const auto found = partials_.find(chunk);
    if (static_cast<int>(found->second.owned.count()) == elements_of(chunk)) {
      auto place = places.extract(places.begin());
      place.key() = chunk;
      place.mapped().level = 0;
      fold_chunk(chunk, found->second, &place.mapped().state);
      partials_.erase(found);
      insert(std::move(place));
    }
  }

  void fold_chunk(std::int64_t chunk, const Partial& whole, State* state) const {
    alignas(most_element_bytes) Byte buffer[chunk_elements * most_element_bytes];
    const isofold_request request = state_request(whole.elements.data(), elements_of(chunk), state);
    const void* x = as_any_computed(request, request.data, request.length, buffer);
    any_->chunk(request, x, nullptr, chunk << chunk_shift, elements_of(chunk), state);
  }

  bool owns_chunk_in(std::int64_t begin, std::int64_t end) const {
    auto node = nodes_.lower_bound(begin);
    if (node != nodes_.end() && node->first < end) {
      return true;
    }
    return node != nodes_.begin() && (--node, end_of(node->first, node->second.level) > begin);
  }

  // This tells whether any of the elements [first, first + length) of one chunk is owned as a raw
  // element.
  bool owns_raw(std::int64_t first, int length) const {
    const auto partial = partials_.find(first >> chunk_shift);
    if (partial == partials_.end()) {
      return false;
    }
    const auto offset = static_cast<std::size_t>(first & (chunk_elements - 1));
    for (std::size_t i = offset; i < offset + static_cast<std::size_t>(length); ++i) {
      if (partial->second.owned[i]) {
        return true;
      }
    }
    return false;
  }

  std::int32_t overlap_with(const TypedForest& other, Report& report) const {
    const auto refuse = [&](std::int64_t begin, std::int64_t end) {
      return report.fail(ISOFOLD_overlap,
                         "Both Forests hold elements of [%" PRId64 ", %" PRId64 "); "
                         "each element belongs to one piece.",
                         begin << chunk_shift, std::min(count, end << chunk_shift));
    };
    for (const auto& [begin, node] : other.nodes_) {
      const std::int64_t end = end_of(begin, node.level);
      const auto partial = partials_.lower_bound(begin);
      if (owns_chunk_in(begin, end) || (partial != partials_.end() && partial->first < end)) {
        return refuse(begin, end);
      }
    }
    for (const auto& [chunk, theirs] : other.partials_) {
      const auto ours = partials_.find(chunk);
      if (owns_chunk_in(chunk, chunk + 1) ||
          (ours != partials_.end() && (ours->second.owned & theirs.owned).any())) {
        return refuse(chunk, chunk + 1);
      }
    }
    return ISOFOLD_ok;
  }

  // Takes everything out of `piece`. Map nodes are handed over and those of chunks that may become
  // whole are there beforehand: nothing is allocated once something has changed.
  std::int32_t unite(TypedForest& piece, Report& report) {
    const std::int32_t code = overlap_with(piece, report);
    if (code != ISOFOLD_ok) {
      return code;
    }
    NodeMap places;
    for (const auto& partial : piece.partials_) {
      places.emplace(partial.first, Node{});
    }
    const FloatEnvironment environment;
    while (!piece.nodes_.empty()) {
      insert(piece.nodes_.extract(piece.nodes_.begin()));
    }
    while (!piece.partials_.empty()) {
      auto handle = piece.partials_.extract(piece.partials_.begin());
      const auto placed = partials_.insert(std::move(handle));
      if (!placed.inserted) {
        Partial& ours = placed.position->second;
        const Partial& theirs = placed.node.mapped();
        const std::size_t bytes = bytes_of(1);
        theirs.for_each_range([&](std::size_t begin, std::size_t end) {
          std::memcpy(ours.elements.data() + begin * bytes, theirs.elements.data() + begin * bytes,
                      (end - begin) * bytes);
        });
        ours.owned |= theirs.owned;
      }
      settle(placed.position->first, places);
    }
    return ISOFOLD_ok;
  }

  std::int32_t take(isofold_reducer& reducer, const Byte* data, std::int64_t first,
                    std::int64_t length, Report& report);
  std::int32_t take_raw(backend_interface::Backend& backend, std::int32_t device, const Byte* data,
                        std::int64_t first, std::int64_t length, Report& report);
  std::int32_t take_chunks(isofold_reducer& reducer, const Byte* data, std::int64_t begin,
                           std::int64_t end, Report& report);
  std::string missing() const;

  // The request for the state of `length` elements.
  isofold_request state_request(const Byte* data, std::int64_t length, State* state) const {
    return {sizeof(isofold_request),
            ISOFOLD_DEFINITION_tree_v1,
            fold,
            type,
            ISOFOLD_SHAPE_array,
            ISOFOLD_BLOCKING | ISOFOLD_STATE,
            0,
            data,
            1,
            length,
            length,
            state,
            nullptr,
            nullptr,
            nullptr,
            0,
            nullptr,
            nullptr};
  }

  static constexpr std::size_t most_element_bytes = sizeof(isofold_c128);
  const AnyFold* any_;
  std::int64_t element_bytes_;
  std::int64_t chunks_;
  NodeMap nodes_;
  std::map<std::int64_t, Partial> partials_;  // by number of the chunk
};

// ---- a contiguous range: raw edges, and whole chunks as the fewest aligned nodes ----------------

template <std::size_t state_bytes>
std::int32_t TypedForest<state_bytes>::take(isofold_reducer& reducer, const Byte* data,
                                            std::int64_t first, std::int64_t length,
                                            Report& report) {
  const std::int64_t last = first + length;
  const std::int64_t begin = (first + chunk_elements - 1) >> chunk_shift;
  const std::int64_t end = last == count ? chunks_ : last >> chunk_shift;
  isofold_place* place = nullptr;
  std::int32_t code = choose(reducer, data, &place, report);
  if (code != ISOFOLD_ok) {
    return code;
  }
  State unused{};
  code = check_reach(reducer, *place, state_request(data, length, &unused), report);
  // Raw elements are copied outside the stream in which they may still be written.
  code = code == ISOFOLD_ok ? place->instance->synchronize(report) : code;
  if (code != ISOFOLD_ok) {
    return code;
  }
  backend_interface::Backend& backend = *place->backend;
  const std::int32_t device = place->device;
  if (begin >= end) {  // no whole chunk: at most two raw edges, in one chunk or in two neighbours
    const std::int64_t middle = std::min(last, begin << chunk_shift);
    code = take_raw(backend, device, data, first, middle - first, report);
    return code == ISOFOLD_ok ? take_raw(backend, device, data + bytes_of(middle - first), middle,
                                         last - middle, report)
                              : code;
  }
  const std::int64_t head = (begin << chunk_shift) - first;
  const std::int64_t tail = std::min(last, end << chunk_shift);
  code = take_raw(backend, device, data, first, head, report);
  code =
      code == ISOFOLD_ok ? take_chunks(reducer, data + bytes_of(head), begin, end, report) : code;
  return code == ISOFOLD_ok
             ? take_raw(backend, device, data + bytes_of(tail - first), tail, last - tail, report)
             : code;
}

template <std::size_t state_bytes>
std::int32_t TypedForest<state_bytes>::take_raw(backend_interface::Backend& backend,
                                                std::int32_t device, const Byte* data,
                                                std::int64_t first, std::int64_t length,
                                                Report& report) {
  if (length <= 0) {
    return ISOFOLD_ok;
  }
  Byte edge[chunk_elements * most_element_bytes];
  const std::int32_t code = backend.copy(device, edge, data, bytes_of(length), report);
  if (code == ISOFOLD_ok) {
    insert_raw(first, static_cast<int>(length), edge);
  }
  return code;
}

template <std::size_t state_bytes>
std::int32_t TypedForest<state_bytes>::take_chunks(isofold_reducer& reducer, const Byte* data,
                                                   std::int64_t begin, std::int64_t end,
                                                   Report& report) {
  while (begin < end) {
    // The largest aligned node that starts here and is whole inside [begin, end); the array's end
    // makes a node whole too.
    int level = 0;
    while (((begin >> level) & 1) == 0 && begin + (std::int64_t{1} << level) < end &&
           (begin + (std::int64_t{2} << level) <= end || end == chunks_)) {
      ++level;
    }
    const std::int64_t next = std::min(end, begin + (std::int64_t{1} << level));
    const std::int64_t length = std::min(count, next << chunk_shift) - (begin << chunk_shift);
    State state{};
    const isofold_request request = state_request(data, length, &state);
    const std::int32_t code = isofold_reduce(&reducer, &request);
    if (code != ISOFOLD_ok) {
      return report.fail(static_cast<isofold_code>(code), "%s", isofold_last_error());
    }
    any_->move(&state, begin << chunk_shift);
    insert(begin, {level, state});
    data += bytes_of(length);
    begin = next;
  }
  return ISOFOLD_ok;
}

// The first few ranges that no piece covers.
template <std::size_t state_bytes>
std::string TypedForest<state_bytes>::missing() const {
  std::vector<std::pair<std::int64_t, std::int64_t>> owned;
  for (const auto& [begin, node] : nodes_) {
    owned.emplace_back(begin << chunk_shift,
                       std::min(count, end_of(begin, node.level) << chunk_shift));
  }
  for (const auto& [chunk, partial] : partials_) {
    const std::int64_t first = chunk << chunk_shift;
    partial.for_each_range([&, first](std::size_t begin, std::size_t end) {
      owned.emplace_back(first + static_cast<std::int64_t>(begin),
                         first + static_cast<std::int64_t>(end));
    });
  }
  std::sort(owned.begin(), owned.end());
  owned.emplace_back(count, count);
  std::string text;
  std::int64_t covered = 0;
  int ranges = 0;
  for (const auto& [begin, end] : owned) {
    if (begin > covered && ++ranges <= 4) {
      text += (text.empty() ? "[" : ", [") + std::to_string(covered) + ", " +
              std::to_string(begin) + ")";
    }
    covered = std::max(covered, end);
  }
  return ranges > 4 ? text + " and " + std::to_string(ranges - 4) + " more ranges" : text;
}

// ---- bytes --------------------------------------------------------------------------------------

void put(std::vector<unsigned char>& out, const void* value, std::size_t bytes) {
  const std::size_t end = out.size();
  out.resize(end + bytes);
  if (bytes != 0) {  // then `value` may be null
    std::memcpy(out.data() + end, value, bytes);
  }
}

template <class Value>
void put(std::vector<unsigned char>& out, const Value& value) {
  put(out, &value, sizeof value);
}

// Reads values in order; `good` turns false at the first that is not there.
struct Reader {
  const unsigned char* at;
  const unsigned char* end;
  bool good = true;

  void get(void* value, std::size_t bytes) {
    good = good && static_cast<std::size_t>(end - at) >= bytes;
    if (good) {
      std::memcpy(value, at, bytes);
      at += bytes;
    }
  }
  template <class Value>
  Value get() {
    Value value{};
    get(&value, sizeof value);
    return value;
  }
};

constexpr char forest_magic[8] = {'i', 's', 'o', 'f', 'o', 'l', 'd', '\0'};

template <std::size_t state_bytes>
std::vector<unsigned char> TypedForest<state_bytes>::to_bytes() const {
  std::vector<unsigned char> ranges;
  std::uint64_t range_count = 0;
  for (const auto& [chunk, partial] : partials_) {
    const std::int64_t first = chunk << chunk_shift;
    const Byte* const elements = partial.elements.data();
    partial.for_each_range([&, first, elements](std::size_t begin, std::size_t end) {
      put(ranges, first + static_cast<std::int64_t>(begin));
      put(ranges, static_cast<std::int64_t>(end - begin));
      put(ranges, elements + begin * bytes_of(1), (end - begin) * bytes_of(1));
      ++range_count;
    });
  }
  ForestHeader header;
  std::memcpy(header.magic, forest_magic, sizeof header.magic);
  header.fold = static_cast<std::uint32_t>(fold);
  header.type = static_cast<std::uint32_t>(type);
  header.count = count;
  header.state_bytes = sizeof(State);
  header.element_bytes = static_cast<std::uint32_t>(bytes_of(1));
  header.nodes = nodes_.size();
  header.ranges = range_count;
  std::vector<unsigned char> out;
  put(out, header);
  for (const auto& [begin, node] : nodes_) {
    put(out, static_cast<std::int64_t>(node.level));
    put(out, begin >> node.level);
    put(out, node.state);
  }
  put(out, ranges.data(), ranges.size());
  put(out, checksum(out.data(), out.size()));
  return out;
}

template <std::size_t state_bytes>
std::int32_t TypedForest<state_bytes>::read(const unsigned char* bytes, std::size_t size,
                                            Report& report) {
  Reader reader{bytes, bytes + size - sizeof(std::uint64_t)};
  const auto header = reader.get<ForestHeader>();
  const auto refuse = [&](const char* what) {
    return report.fail(ISOFOLD_mismatch, "These bytes are no Forest that can be: %s.", what);
  };
  if (header.state_bytes != sizeof(State) || header.element_bytes != bytes_of(1)) {
    return refuse("the sizes of states or elements differ from this library's");
  }
  for (std::uint64_t i = 0; i < header.nodes && reader.good; ++i) {
    const auto level = reader.get<std::int64_t>();
    const auto index = reader.get<std::int64_t>();
    const auto state = reader.get<State>();
    if (!reader.good || chunks_ == 0 || level < 0 || level > core::root_level(chunks_) ||
        index < 0 || index >= ((chunks_ - 1) >> level) + 1 ||
        owns_chunk_in(index << level, end_of(index << level, static_cast<int>(level)))) {
      return refuse("a node lies outside the array or twice in it");
    }
    insert(index << level, {static_cast<int>(level), state});
  }
  for (std::uint64_t i = 0; i < header.ranges && reader.good; ++i) {
    const auto first = reader.get<std::int64_t>();
    const auto length = reader.get<std::int64_t>();
    Byte edge[chunk_elements * most_element_bytes];
    if (!reader.good || first < 0 || first >= count || length < 1 ||
        length > elements_of(first >> chunk_shift) - (first & (chunk_elements - 1)) ||
        owns_chunk_in(first >> chunk_shift, (first >> chunk_shift) + 1) ||
        owns_raw(first, static_cast<int>(length))) {
      return refuse("a range of elements lies outside the array, or in two pieces");
    }
    reader.get(edge, bytes_of(length));
    if (reader.good) {
      insert_raw(first, static_cast<int>(length), edge);
    }
  }
  return reader.good && reader.at == reader.end ? ISOFOLD_ok : refuse("the length is wrong");
}

// A new Forest of the case; nullptr if there is no such case.
std::unique_ptr<isofold_forest> make_forest(std::int32_t fold, std::int32_t type,
                                            std::int64_t count) {
  std::unique_ptr<isofold_forest> forest;
  visit_case(fold, computed_type(type), [&](auto f) {
    using Fold = decltype(f);
    if constexpr (Fold::arrays == 1 && !TakesParameters<Fold>::value) {
      constexpr std::size_t state = sizeof(typename Fold::state_type);
      forest =
          std::make_unique<TypedForest<state>>(Erased<Fold, PlainChunk>::fold, fold, type, count);
    }
  });
  return forest;
}

std::int32_t validate_piece(const isofold_forest& forest, const void* data, std::int64_t first,
                            std::int64_t length, Report& report) {
  if (first < 0 || length < 0 || first > forest.count || length > forest.count - first) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%" PRId64 " elements from %" PRId64 " on do not "
                       "lie in an array of %" PRId64 ".",
                       length, first, forest.count);
  }
  if (length > 0 && data == nullptr) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The data pointer is null, yet there are %" PRId64 " elements to add.",
                       length);
  }
  const auto bytes = static_cast<std::uintptr_t>(stored_alignment(forest.type));
  if (length > 0 && reinterpret_cast<std::uintptr_t>(data) % bytes != 0) {
    return report.fail(ISOFOLD_misaligned,
                       "The data pointer %p is no multiple of %zu bytes, which its elements are "
                       "aligned to.",
                       data, static_cast<std::size_t>(bytes));
  }
  return ISOFOLD_ok;
}

// The Reducer of this thread for pieces that come without one. Such pieces lie in host memory, so
// ISOFOLD_BACKEND is ignored.
std::int32_t default_reducer(isofold_reducer** found, Report& report) {
  struct Destroy {
    void operator()(isofold_reducer* reducer) const { isofold_destroy(reducer); }
  };
  thread_local std::unique_ptr<isofold_reducer, Destroy> reducer;
  if (reducer == nullptr) {
    isofold_options options{};
    options.size = sizeof options;
    options.device = -1;
    options.validate = 1;
    std::string text;
    options.backend = registry::available("openmp", &text) ? "openmp" : "reference";
    isofold_reducer* created = nullptr;
    const std::int32_t code = isofold_create(&options, &created);
    if (code != ISOFOLD_ok) {
      return report.fail(static_cast<isofold_code>(code), "%s", isofold_last_error());
    }
    reducer.reset(created);
  }
  *found = reducer.get();
  return ISOFOLD_ok;
}

}  // namespace
}  // namespace isofold

extern "C" {

int32_t isofold_forest_create(int32_t fold, int32_t type, int64_t count, isofold_forest** forest) {
  return isofold::guarded(
      [&]() -> int32_t {
        if (count < 0) {
          return isofold::fail(ISOFOLD_invalid_argument,
                               "An array of %" PRId64 " elements cannot be.", count);
        }
        auto created = isofold::make_forest(fold, type, count);
        if (const auto unknown = isofold::unknown_number(fold, type); unknown.what != nullptr) {
          return isofold::fail(ISOFOLD_unsupported, ISOFOLD_UNKNOWN_NUMBER, unknown.what,
                               unknown.number);
        }
        if (created == nullptr) {
          return isofold::fail(
              ISOFOLD_unsupported,
              "No Forest of fold %d (%s) over type %d (%s): a Forest holds a fold of "
              "one array without parameters, docs/folds.md has the table.",
              fold, isofold_fold_name(fold), type, isofold_type_name(type));
        }
        *forest = created.release();
        return ISOFOLD_ok;
      },
      forest);
}

int32_t isofold_forest_copy(const isofold_forest* forest, isofold_forest** copy) {
  return isofold::guarded(
      [&]() -> int32_t {
        *copy = forest->copy();
        return ISOFOLD_ok;
      },
      forest, copy);
}

void isofold_forest_destroy(isofold_forest* forest) { delete forest; }

int32_t isofold_forest_add(isofold_forest* forest, isofold_reducer* reducer, const void* data,
                           int64_t first, int64_t count) {
  return isofold::guarded(
      [&] {
        isofold::backend_interface::Report report{};
        int32_t code = isofold::validate_piece(*forest, data, first, count, report);
        if (code == ISOFOLD_ok && count > 0) {
          code = reducer == nullptr ? isofold::default_reducer(&reducer, report) : code;
          code = code == ISOFOLD_ok ? forest->add(*reducer, data, first, count, report) : code;
        }
        return code == ISOFOLD_ok ? code : isofold::keep_error(code, report);
      },
      forest);
}

int32_t isofold_forest_merge(isofold_forest* forest, const isofold_forest* other) {
  return isofold::guarded(
      [&] {
        isofold::backend_interface::Report report;
        const int32_t code = forest->merge(*other, report);
        return code == ISOFOLD_ok ? code : isofold::keep_error(code, report);
      },
      forest, other);
}

int32_t isofold_forest_finish(const isofold_forest* forest, void* result) {
  return isofold::guarded(
      [&] {
        isofold::backend_interface::Report report;
        const int32_t code = forest->finish(result, report);
        return code == ISOFOLD_ok ? code : isofold::keep_error(code, report);
      },
      forest, result);
}

int32_t isofold_forest_complete(const isofold_forest* forest) {
  return forest != nullptr && forest->complete() ? 1 : 0;
}

void isofold_forest_describe(const isofold_forest* forest, int32_t* fold, int32_t* type,
                             int64_t* count) {
  if (fold != nullptr) {
    *fold = forest->fold;
  }
  if (type != nullptr) {
    *type = forest->type;
  }
  if (count != nullptr) {
    *count = forest->count;
  }
}

int32_t isofold_forest_to_bytes(const isofold_forest* forest, void* memory, size_t* bytes) {
  return isofold::guarded(
      [&]() -> int32_t {
        const std::vector<unsigned char> out = forest->to_bytes();
        const size_t room = *bytes;
        *bytes = out.size();
        if (memory == nullptr || room < out.size()) {
          return isofold::fail(ISOFOLD_invalid_argument,
                               "This Forest needs %zu bytes, and there is "
                               "room for %zu.",
                               out.size(), memory == nullptr ? 0 : room);
        }
        std::memcpy(memory, out.data(), out.size());
        return ISOFOLD_ok;
      },
      forest, bytes);
}

int32_t isofold_forest_from_bytes(const void* memory, size_t bytes, isofold_forest** forest) {
  return isofold::guarded(
      [&]() -> int32_t {
        isofold::ForestHeader header;
        const auto* begin = static_cast<const unsigned char*>(memory);
        if (memory == nullptr || bytes < sizeof header + sizeof(uint64_t)) {
          return isofold::fail(ISOFOLD_mismatch, "%zu bytes are too few for a Forest.",
                               memory == nullptr ? 0 : bytes);
        }
        std::memcpy(&header, begin, sizeof header);
        if (std::memcmp(header.magic, isofold::forest_magic, sizeof header.magic) != 0) {
          return isofold::fail(ISOFOLD_mismatch,
                               "These bytes are no Forest: they do not begin with its "
                               "magic word.");
        }
        if (header.format != 1 || header.definition != ISOFOLD_DEFINITION_tree_v1) {
          return isofold::fail(ISOFOLD_mismatch,
                               "A Forest of format %u, definition %u; this library "
                               "reads format 1 of definition 1 (tree v1).",
                               header.format, header.definition);
        }
        uint64_t sum = 0;
        const size_t length = isofold::length_of_forest(header, begin, bytes);
        if (length != 0) {
          std::memcpy(&sum, begin + length - sizeof sum, sizeof sum);
        }
        const bool is_padded = std::all_of(begin + length, begin + bytes,
                                           [](unsigned char byte) { return byte == 0; });
        if (length == 0 || !is_padded || sum != isofold::checksum(begin, length - sizeof sum)) {
          return isofold::fail(ISOFOLD_mismatch,
                               "These bytes were cut or changed: their checksum is "
                               "wrong.");
        }
        auto created = header.count < 0
                           ? nullptr
                           : isofold::make_forest(static_cast<int32_t>(header.fold),
                                                  static_cast<int32_t>(header.type), header.count);
        if (created == nullptr) {
          return isofold::fail(ISOFOLD_mismatch,
                               "A Forest of fold %u over type %u with %" PRId64
                               " elements: this library has no such case.",
                               header.fold, header.type, header.count);
        }
        const isofold::FloatEnvironment environment;
        isofold::backend_interface::Report report;
        const int32_t code = created->read(begin, length, report);
        if (code != ISOFOLD_ok) {
          return isofold::keep_error(code, report);
        }
        *forest = created.release();
        return ISOFOLD_ok;
      },
      forest);
}

size_t isofold_forest_max_bytes(int32_t fold, int32_t type) {
  const auto element_bytes = static_cast<size_t>(isofold_type_bytes(type));
  const auto state_bytes = static_cast<size_t>(isofold_state_bytes(fold, type));
  return sizeof(isofold::ForestHeader) + sizeof(uint64_t) +
         isofold::contiguous_nodes * (2 * sizeof(int64_t) + state_bytes) +
         isofold::contiguous_ranges *
             (2 * sizeof(int64_t) +
              static_cast<size_t>(isofold::core::chunk_elements - 1) * element_bytes);
}
}

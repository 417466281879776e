// The exported functions of a reducer: they validate a request, choose its backend, and call it. No
// arithmetic lives here.
#include <api/reducer.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include <api/errors.hpp>
#include <backend/registry.hpp>
#include <layout/indices.hpp>
#include <layout/layout.hpp>
#include <layout/number_mask.hpp>
#include <ops/exact_cases.hpp>
#include <request/converted_elements.hpp>
#include <request/is_readable.hpp>
#include <request/nan_format.hpp>
#include <request/validate_counts.hpp>
#include <request/whole_structs.hpp>

namespace isofold {
namespace {

using backend_interface::Backend;
using backend_interface::Report;

// A backend that can compute here and now; nullptr, and the sentence in `report`, if it cannot.
Backend* usable(const char* name, const char* asked_by, Report& report) {
  std::string text;
  if (registry::available(name, &text)) {
    return registry::load(name, nullptr);
  }
  report.fail(ISOFOLD_backend_unavailable, "The backend '%s'%s is not available: %s.",
              name != nullptr ? name : "", asked_by, text.c_str());
  return nullptr;
}

// The backend for host data when the caller named none: openmp, else reference.
Backend* host_default(Report& report) {
  std::string text;
  return registry::available("openmp", &text) ? registry::load("openmp", nullptr)
                                              : usable("reference", "", report);
}

std::int32_t validate_options(const isofold_options& options, Report& report) {
  if (options.guarantee != 0 && options.guarantee != ISOFOLD_GUARANTEE_same_bits &&
      options.guarantee != ISOFOLD_GUARANTEE_within_bound) {
    return report.fail(ISOFOLD_invalid_argument,
                       "Guarantee %d is unknown; there are 1 (same_bits) "
                       "and 2 (within_bound).",
                       options.guarantee);
  }
  if (options.reserved != 0 || (options.validate & ~1) != 0 || (options.has_stream & ~1) != 0) {
    return report.fail(ISOFOLD_invalid_argument,
                       "isofold_options has validate %d, has_stream %d, reserved %d: the first two "
                       "are 0 or 1, the last is 0.",
                       options.validate, options.has_stream, options.reserved);
  }
  if (options.threads < 0 || options.device < -1) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%d threads on device %d: use 0 threads for as many "
                       "as there are, and device -1 for the current one.",
                       options.threads, options.device);
  }
  return ISOFOLD_ok;
}

// Finds the backends that `reducer` will use by its options and ISOFOLD_BACKEND.
std::int32_t resolve(isofold_reducer& reducer, Report& report) {
  const char* name = reducer.options.backend;
  const char* asked_by = "";
  if (name == nullptr || name[0] == '\0') {
    name = std::getenv("ISOFOLD_BACKEND");
    asked_by = " (named by the environment variable ISOFOLD_BACKEND)";
  }
  if (name != nullptr && name[0] != '\0') {
    reducer.named = usable(name, asked_by, report);
    if (reducer.named != nullptr && asked_by[0] != '\0' && !reducer.named->has_device_memory()) {
      reducer.options.device =
          -1;  // the number was meant for the device that would have been chosen
    }
    return reducer.named != nullptr ? ISOFOLD_ok : ISOFOLD_backend_unavailable;
  }
  reducer.host = host_default(report);
  return reducer.host != nullptr ? ISOFOLD_ok : ISOFOLD_backend_unavailable;
}

std::int32_t open(isofold_reducer& reducer, Backend& backend, std::int32_t device,
                  isofold_place** place, Report& report) {
  isofold_options options = reducer.options;
  options.device = device;
  std::int32_t code = ISOFOLD_ok;
  std::unique_ptr<backend_interface::Instance> instance(backend.open(options, &code, report));
  if (code != ISOFOLD_ok) {
    return code;
  }
  reducer.known = {};  // its place may move
  reducer.places.push_back({&backend, device, std::move(instance), {}});
  *place = &reducer.places.back();
  return ISOFOLD_ok;
}

std::int32_t place_on(isofold_reducer& reducer, Backend& backend, std::int32_t device,
                      isofold_place** place, Report& report) {
  for (isofold_place& candidate : reducer.places) {
    if (candidate.backend == &backend && candidate.device == device) {
      *place = &candidate;
      return ISOFOLD_ok;
    }
  }
  return open(reducer, backend, device, place, report);
}

// Refuses a number beyond those of a backend's devices.
std::int32_t check_device(Backend& backend, std::int32_t device, Report& report) {
  std::int32_t count = 0;
  const std::int32_t code = backend.device_count(&count, report);
  if (code == ISOFOLD_ok && device >= count) {
    return report.fail(ISOFOLD_invalid_argument,
                       "Backend %s has %d device%s; device %d does not exist (numbers start at 0).",
                       backend.name(), count, count == 1 ? "" : "s", device);
  }
  return code;
}

// Opens a named backend on the device asked for, else on the one that was current at creation.
std::int32_t open_named(isofold_reducer& reducer, Report& report) {
  Backend& backend = *reducer.named;
  std::int32_t device = reducer.options.device;
  std::int32_t code = check_device(backend, device, report);
  code = code == ISOFOLD_ok && device < 0 ? backend.current_device(&device, report) : code;
  if (code != ISOFOLD_ok) {
    return code;
  }
  isofold_place* place = nullptr;
  return open(reducer, backend, device, &place, report);
}

// Chooses by the data: device memory goes to its owner; managed and pinned memory to the host
// unless a stream was given.
std::int32_t choose_by_data(isofold_reducer& reducer, const void* data, isofold_place** place,
                            Report& report) {
  Located located;
  if (devices_exist()) {
    // A child of fork() has no devices that its parent had, and reduces what it can read itself.
    const std::int32_t code = locate(data, &located, report);
    const bool is_orphan = code == ISOFOLD_backend_unavailable && is_readable(data);
    if (code != ISOFOLD_ok && !is_orphan) {
      return code;
    }
  }
  const bool to_device = located.place.memory == ISOFOLD_MEMORY_device ||
                         (located.backend != nullptr && reducer.options.has_stream != 0);
  if (!to_device) {
    return place_on(reducer, *reducer.host, 0, place, report);
  }
  std::int32_t device = reducer.options.device;
  if (located.place.memory == ISOFOLD_MEMORY_device) {
    if (device >= 0 && device != located.place.device) {
      return report.fail(
          ISOFOLD_wrong_memory,
          "The data at %p lie on device %d, and this reducer was made for device %d; "
          "make one with Options{}.device(%d).",
          data, located.place.device, device, located.place.device);
    }
    device = located.place.device;
  }
  if (device < 0) {
    if (const auto code = located.backend->current_device(&device, report); code != ISOFOLD_ok) {
      return code;
    }
  }
  return place_on(reducer, *located.backend, device, place, report);
}

// This tells whether kernels of devices read lists of such indices.
bool devices_read(std::int32_t index_type) {
  return index_type == ISOFOLD_TYPE_i32 || index_type == ISOFOLD_TYPE_i64 ||
         index_type == ISOFOLD_TYPE_u64;
}

std::int32_t check_support(isofold_reducer& reducer, const isofold_place& place,
                           const isofold_request& request, Report& report) {
  if (is_converted(request) && !place.backend->converts_elements()) {
    return report.fail(
        ISOFOLD_unsupported,
        "Backend %s has no kernels for elements of %s%s: use openmp or reference, on "
        "host memory, or convert the array to %s first.",
        place.backend->name(), isofold_type_name(request.type),
        request.accumulator != 0 ? " with an accumulator of f64" : "",
        isofold_type_name(computed_type(request)));
  }
  if (is_exact(request) && !place.backend->has_exact()) {
    return report.fail(ISOFOLD_unsupported,
                       "Backend %s computes sums by tree v1 alone: for exact_v1 use openmp, "
                       "reference, cuda or hip.",
                       place.backend->name());
  }
  if (has_layout(request) && !place.backend->has_shape(request.shape)) {
    return report.fail(
        ISOFOLD_unsupported,
        "Backend %s does not have shape %d, which is neither an array nor rows nor a box that is "
        "one: use openmp or reference, on host memory, or pack the elements first.",
        place.backend->name(), request.shape);
  }
  if (has_layout(request) && place.backend->has_device_memory() &&
      request.shape != ISOFOLD_SHAPE_box && !devices_read(request.layout->index_type)) {
    return report.fail(
        ISOFOLD_unsupported,
        "Backend %s reads indices of i32, i64 and u64, and these are %s: copy them to "
        "one of those.",
        place.backend->name(), isofold_type_name(request.layout->index_type));
  }
  const std::int32_t guarantee =
      reducer.options.guarantee != 0 ? reducer.options.guarantee : ISOFOLD_GUARANTEE_same_bits;
  return place.backend->supports(request, guarantee, report);
}

// The pointer whose memory decides the backend: the data, or the result if there are no data.
const void* guide(const isofold_request& request) {
  return request.length != 0 || has_layout(request) ? request.data : request.result;
}

// A request that is right and supported: as an array or rows where it is that, for every backend
// has those; and the place that answers it.
struct Admitted {
  isofold_request& request;
  CaseFacts facts{};
  isofold_place* place = nullptr;
};
std::int32_t admit(isofold_reducer& reducer, const isofold_request& asked, bool with_pointers,
                   Admitted* admitted, Report& report) {
  isofold_request& request = admitted->request;
  request = asked;
  std::int32_t code = validate_kind(asked, &admitted->facts, report);
  if (code == ISOFOLD_ok) {
    code = has_layout(asked) ? validate_layout(asked, admitted->facts, with_pointers, report)
                             : validate_counts(asked, admitted->facts, with_pointers, report);
  }
  if (code == ISOFOLD_ok) {
    if (has_layout(asked)) {
      layout_of(asked).is_plain(asked, &request);
    }
    code = choose(reducer, guide(request), &admitted->place, report);
  }
  return code == ISOFOLD_ok ? check_support(reducer, *admitted->place, request, report) : code;
}

// Indices that the host can read are read before they are used.
std::int32_t check_indices(const isofold_reducer& reducer, const Admitted& admitted,
                           Report& report) {
  const isofold_request& request = admitted.request;
  const isofold_place& place = *admitted.place;
  if (reducer.options.validate == 0 || place.backend->has_device_memory() || !has_layout(request)) {
    return ISOFOLD_ok;
  }
  const Layout& layout = layout_of(request);
  const std::int64_t entry_bytes =
      std::max<std::int64_t>(1, index_bytes(request.layout->index_type));
  return layout.validate_indices(
      request, admitted.facts,
      [&](std::int64_t count, const Part& part) {
        place.instance->in_parts(request, layout.entries(request) * entry_bytes, count, part);
      },
      report);
}

// This tells whether a blocking call returns a result for each row.
bool returns_rows(const isofold_request& request) {
  return (request.flags & ISOFOLD_BLOCKING) != 0 &&
         (has_layout(request) ? !layout_of(request).has_one_result(request)
                              : request.shape == ISOFOLD_SHAPE_rows);
}

// The results of rows on their way to host memory. To a backend such a call is one that does not
// block; a device writes to memory of its own, for the time of the call.
class RowsToHost {
 public:
  RowsToHost() = default;
  RowsToHost(const RowsToHost&) = delete;
  RowsToHost& operator=(const RowsToHost&) = delete;
  ~RowsToHost() {
    for (int i = 0; i < count_; ++i) {
      place_->backend->release(place_->device, moved_[i].from);
    }
  }

  // Makes a request, whose memory has been checked, one that does not block.
  std::int32_t redirect(isofold_place& place, isofold_request& request, std::int64_t result_bytes,
                        Report& report) {
    request.flags &= ~ISOFOLD_BLOCKING;
    if (!place.backend->has_device_memory() || request.rows == 0) {
      return ISOFOLD_ok;
    }
    place_ = &place;
    // Allocations, too, would break a graph capture, in which this call is refused.
    if (const std::int32_t code = place.instance->synchronize(report); code != ISOFOLD_ok) {
      return code;
    }
    const auto bytes = static_cast<std::size_t>(request.rows * result_bytes);
    void* memory = nullptr;
    const std::int32_t code = place.backend->allocate(place.device, bytes, &memory, report);
    if (code == ISOFOLD_ok) {
      moved_[count_++] = {memory, request.result, bytes};
      request.result = memory;
    }
    return code;
  }
  // Waits for the results, and copies them to where the caller wants them.
  std::int32_t bring(Report& report) {
    std::int32_t code = count_ > 0 ? place_->instance->synchronize(report) : ISOFOLD_ok;
    for (int i = 0; code == ISOFOLD_ok && i < count_; ++i) {
      const Moved& moved = moved_[i];
      code = place_->backend->copy(place_->device, moved.to, moved.from, moved.bytes, report);
    }
    return code;
  }

 private:
  struct Moved {
    void* from;
    void* to;
    std::size_t bytes;
  };
  isofold_place* place_ = nullptr;
  Moved moved_[ISOFOLD_MOST_FUSED] = {};
  int count_ = 0;
};
bool skips_nan(const isofold_request& request) { return (request.flags & ISOFOLD_SKIP_NAN) != 0; }

// This tells whether elements may have to be marked, that is put under a mask that is made in the
// call: NaNs are left out, or a mask lies as devices do not read it.
bool may_mark(const isofold_request& request) {
  return skips_nan(request) || (request.shape == ISOFOLD_SHAPE_box && request.layout != nullptr &&
                                request.layout->mask_type == ISOFOLD_MASK_strided_bytes);
}

// Admits a request whose elements may have to be marked, as `given`: without the flag for it.
std::int32_t admit_unmarked(isofold_reducer& reducer, const isofold_request& asked,
                            bool with_pointers, isofold_request* given, Admitted* admitted,
                            Report& report) {
  *given = asked;
  given->flags &= ~ISOFOLD_SKIP_NAN;
  const std::int32_t code = admit(reducer, *given, with_pointers, admitted, report);
  return code == ISOFOLD_ok && !is_box(asked) ? refuse_no_box(asked, report) : code;
}

bool must_mark(const isofold_place& place, const isofold_request& request, bool skips) {
  const bool leaves_out = skips && nan_format(request.type).parts > 0;
  return (leaves_out && request.rows != 0 && request.length != 0) ||
         (place.backend->has_device_memory() && has_layout(request) &&
          layout_of(request).has_strided_mask(request));
}

// A request as a box under the mask of its marks, which are of bytes on hosts and of bits on
// devices.
struct MarkedBox {
  isofold_request request;
  isofold_layout layout;

  explicit MarkedBox(const isofold_request& of) { make_box(of, &request, &layout); }
  void set_marks(const isofold_place& place, const void* marks) {
    set_mask(&layout, marks,
             place.backend->has_device_memory() ? ISOFOLD_MASK_bits : ISOFOLD_MASK_bytes);
  }
};

// Marks the elements that the box's own mask takes and, if NaNs are left out, that are none.
std::int32_t mark(isofold_place& place, MarkedBox& box, bool skips, Report& report) {
  const isofold_request& request = box.request;
  std::int64_t entries = 0;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(request.rows, request.length, &entries) ||
      __builtin_mul_overflow(entries, stored_bytes(request), &bytes)) {
    return report.fail(ISOFOLD_out_of_memory,
                       "No memory has room for the marks of 2^59 elements and more.");
  }
  if (place.backend->has_device_memory()) {
    isofold_request asked = request;
    asked.flags |= skips ? ISOFOLD_SKIP_NAN : 0;
    const void* bits = nullptr;
    const std::int32_t code = place.instance->mark_elements(asked, &bits, report);
    box.set_marks(place, bits);
    return code;
  }
  place.marks.resize(static_cast<std::size_t>(entries));
  mark_numbers(
      request,
      [&](std::int64_t count, const Part& part) {
        place.instance->in_parts(request, bytes, count, part);
      },
      place.marks.data());
  box.set_marks(place, place.marks.data());
  return ISOFOLD_ok;
}

// Says whether the place that answers a request answers it under marks, too.
std::int32_t check_support_of_marks(isofold_reducer& reducer, const isofold_place& place,
                                    const isofold_request& request, Report& report) {
  MarkedBox box(request);
  box.set_marks(place, &box);  // some mask
  return check_support(reducer, place, box.request, report);
}

std::int32_t reduce_marked(isofold_reducer& reducer, const isofold_request& asked, Report& report) {
  isofold_request given;
  isofold_request request;
  Admitted admitted{request};
  std::int32_t code = admit_unmarked(reducer, asked, true, &given, &admitted, report);
  if (code != ISOFOLD_ok) {
    return code;
  }
  isofold_place& place = *admitted.place;
  if (request.rows != 0) {
    code = check_reach(reducer, place, request, report);
    RowsToHost to_host;
    if (code == ISOFOLD_ok && returns_rows(asked)) {
      code = to_host.redirect(place, request, admitted.facts.result_bytes, report);
    }
    std::optional<MarkedBox> box;
    if (code == ISOFOLD_ok && must_mark(place, given, skips_nan(asked))) {
      given.flags = request.flags;
      given.result = request.result;
      box.emplace(given);
      code = check_support_of_marks(reducer, place, given, report);
      code = code == ISOFOLD_ok ? mark(place, *box, skips_nan(asked), report) : code;
      request = box->request;
    }
    code = code == ISOFOLD_ok ? place.instance->reduce(request, report) : code;
    code = code == ISOFOLD_ok ? to_host.bring(report) : code;
  }
  if (code == ISOFOLD_ok) {
    reducer.answered = place.backend;
  }
  return code;
}

// Reduces a request of a new kind or another size, or one whose pointers decide where it goes.
__attribute__((noinline)) std::int32_t reduce_new(isofold_reducer& reducer,
                                                  const isofold_request* given, Report& report) {
  WholeRequest whole;
  if (const std::int32_t code = take_request(given, &whole, report); code != ISOFOLD_ok) {
    return code;
  }
  const isofold_request& asked = *whole.request;
  if (may_mark(asked)) {
    return reduce_marked(reducer, asked, report);
  }
  isofold_request request;
  Admitted admitted{request};
  std::int32_t code = admit(reducer, asked, true, &admitted, report);
  isofold_place* const place = admitted.place;
  if (code == ISOFOLD_ok && request.rows != 0) {
    code = check_reach(reducer, *place, request, report);
    code = code == ISOFOLD_ok ? check_indices(reducer, admitted, report) : code;
    RowsToHost to_host;
    if (code == ISOFOLD_ok && returns_rows(asked)) {
      code = to_host.redirect(*place, request, admitted.facts.result_bytes, report);
    }
    code = code == ISOFOLD_ok ? place->instance->reduce(request, report) : code;
    code = code == ISOFOLD_ok ? to_host.bring(report) : code;
  }
  if (code == ISOFOLD_ok) {
    reducer.answered = place->backend;
    const bool trusted = reducer.named != nullptr && reducer.options.validate == 0;
    if ((trusted || !devices_exist()) && !has_layout(asked)) {
      reducer.known = {request, admitted.facts, place};
    }
  }
  return code;
}

__attribute__((noinline)) std::int32_t reduce_with_care(isofold_reducer& reducer,
                                                        const isofold_request& request,
                                                        Report& report) {
  const isofold_known& known = reducer.known;
  if (known.place == nullptr || !same_kind(known.request, request)) {
    return reduce_new(reducer, &request, report);
  }
  const std::int32_t code = validate_counts(request, known.facts, true, report);
  return code == ISOFOLD_ok && request.rows != 0 ? known.place->instance->reduce(request, report)
                                                 : code;
}

// The short way of small calls: a request of the last kind, of which nothing need be asked again
// (docs/decisions/045). `answered` is already this place. Its branches fall through, because taken
// ones cost cycles.
std::int32_t reduce(isofold_reducer& reducer, const isofold_request& request, Report& report) {
  const isofold_known& known = reducer.known;
  const bool plain =
      known.place != nullptr && same_kind(known.request, request) && is_plain(request, known.facts);
  return __builtin_expect(plain, 1) ? known.place->instance->reduce(request, report)
                                    : reduce_with_care(reducer, request, report);
}

// This tells whether two requests of one fused call have one input.
bool same_input(const isofold_request& a, const isofold_request& b) {
  return a.type == b.type && a.shape == b.shape && a.flags == b.flags &&
         a.accumulator == b.accumulator && a.data == b.data && a.rows == b.rows &&
         a.length == b.length && a.stride == b.stride && a.layout == b.layout &&
         (a.second == nullptr || b.second == nullptr ||
          (a.second == b.second && a.second_stride == b.second_stride));
}

std::int32_t check_same_input(const isofold_request* requests, std::int32_t count, Report& report) {
  const isofold_request* with_second = requests;
  for (std::int32_t i = 0; i < count; ++i) {
    if (!same_input(requests[i], requests[0]) || !same_input(requests[i], *with_second)) {
      return report.fail(ISOFOLD_invalid_argument,
                         "Request %d of %d has another input than those before it; a fused call "
                         "has requests that differ in fold, result and parameters alone.",
                         i, count);
    }
    with_second = requests[i].second != nullptr ? requests + i : with_second;
  }
  return ISOFOLD_ok;
}

// Checks that no two requests of one fused call write to the same memory.
std::int32_t check_results(const isofold_request* requests, std::int32_t count, Report& report) {
  std::int64_t bytes[ISOFOLD_MOST_FUSED];
  for (std::int32_t i = 0; i < count; ++i) {
    const isofold_request& request = requests[i];
    // Unsigned: rows that overflow are refused with the request, and must not trap here.
    const std::int64_t each = isofold_result_bytes(
        request.fold, request.accumulator != 0 ? request.accumulator : request.type);
    bytes[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(request.rows) *
                                         static_cast<std::uint64_t>(each));
    for (std::int32_t j = 0; j < i; ++j) {
      if (request.result != nullptr &&
          share_bytes(request.result, bytes[i], requests[j].result, bytes[j])) {
        return report.fail(ISOFOLD_overlap,
                           "The results of requests %d and %d of %d lie in the same memory; give "
                           "each fold memory of its own.",
                           j, i, count);
      }
    }
  }
  return ISOFOLD_ok;
}

// Checks that each request is valid and runs on one place; `simple` gets the requests to make.
std::int32_t admit_fused(isofold_reducer& reducer, const isofold_request* requests,
                         std::int32_t count, isofold_request* simple, isofold_place** place,
                         RowsToHost& to_host, Report& report) {
  for (std::int32_t i = 0; i < count; ++i) {
    Admitted admitted{simple[i]};
    std::int32_t code = admit(reducer, requests[i], true, &admitted, report);
    code =
        code == ISOFOLD_ok ? check_reach(reducer, *admitted.place, admitted.request, report) : code;
    code = code == ISOFOLD_ok ? check_indices(reducer, admitted, report) : code;
    if (code == ISOFOLD_ok && returns_rows(requests[i])) {
      code = to_host.redirect(*admitted.place, simple[i], admitted.facts.result_bytes, report);
    }
    if (code != ISOFOLD_ok) {
      return code;
    }
    *place = admitted.place;
  }
  return ISOFOLD_ok;
}

std::int32_t reduce_fused(isofold_reducer& reducer, const isofold_request* requests,
                          std::int32_t count, Report& report) {
  if (count < 1 || count > ISOFOLD_MOST_FUSED) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%d folds in one call; there can be 1 to %d: make several calls of them.",
                       count, ISOFOLD_MOST_FUSED);
  }
  isofold_request whole[ISOFOLD_MOST_FUSED];
  isofold_request simple[ISOFOLD_MOST_FUSED];
  isofold_layout layout;
  isofold_place* place = nullptr;
  RowsToHost to_host;
  std::int32_t code = take_requests(requests, count, whole, &layout, report);
  code = code == ISOFOLD_ok ? check_same_input(whole, count, report) : code;
  const bool skips = code == ISOFOLD_ok && skips_nan(whole[0]);
  if (code == ISOFOLD_ok && !skips) {
    code = admit_fused(reducer, whole, count, simple, &place, to_host, report);
  }
  code = code == ISOFOLD_ok ? check_results(whole, count, report) : code;
  if (code == ISOFOLD_ok && (skips || must_mark(*place, simple[0], false))) {
    // Folds of two arrays leave out other elements than those of one: each marks its own.
    for (std::int32_t i = 0; i < count && code == ISOFOLD_ok; ++i) {
      code = reduce_marked(reducer, whole[i], report);
    }
    return code;
  }
  if (code == ISOFOLD_ok && simple[0].rows != 0) {
    code = place->instance->reduce_fused(simple, count, report);
    code = code == ISOFOLD_ok ? to_host.bring(report) : code;
  }
  if (code == ISOFOLD_ok) {
    reducer.answered = place->backend;
  }
  return code;
}

std::int32_t refuse_null(const char* what) {
  return fail(ISOFOLD_invalid_argument, "The %s is null.", what);
}

// Runs `question` on the place that would answer `asked`, whose elements may have to be marked.
template <class Question>
std::int32_t ask_marked(isofold_reducer& reducer, const isofold_request& asked, Question&& question,
                        Report& report) {
  isofold_request given;
  isofold_request request;
  Admitted admitted{request};
  std::int32_t code = admit_unmarked(reducer, asked, false, &given, &admitted, report);
  if (code != ISOFOLD_ok || !must_mark(*admitted.place, given, skips_nan(asked))) {
    return code == ISOFOLD_ok ? question(*admitted.place, request, report) : code;
  }
  MarkedBox box(given);
  box.set_marks(*admitted.place, &box);   // some mask
  box.request.flags |= ISOFOLD_SKIP_NAN;  // room for marks is reserved, too
  code = check_support(reducer, *admitted.place, box.request, report);
  return code == ISOFOLD_ok ? question(*admitted.place, box.request, report) : code;
}

// Runs `question` on the place that would answer `request`.
template <class Question>
std::int32_t ask(isofold_reducer* reducer, const isofold_request* request, Question&& question) {
  if (reducer == nullptr || request == nullptr) {
    return refuse_null(reducer == nullptr ? "reducer" : "request");
  }
  return guarded([&] {
    Report report;
    WholeRequest whole;
    isofold_request simple;
    Admitted admitted{simple};
    std::int32_t code = take_request(request, &whole, report);
    if (code == ISOFOLD_ok && may_mark(*whole.request)) {
      code = ask_marked(*reducer, *whole.request, question, report);
      return code == ISOFOLD_ok ? code : keep_error(code, report);
    }
    code = code == ISOFOLD_ok ? admit(*reducer, *whole.request, false, &admitted, report) : code;
    if (code == ISOFOLD_ok) {
      code = question(*admitted.place, admitted.request, report);
    }
    return code == ISOFOLD_ok ? code : keep_error(code, report);
  });
}

// Does `step` on every open place; the first failure is the one reported.
template <class Step>
std::int32_t on_every_place(isofold_reducer* reducer, Step&& step) {
  if (reducer == nullptr) {
    return refuse_null("reducer");
  }
  std::int32_t first = ISOFOLD_ok;
  for (isofold_place& place : reducer->places) {
    Report report;
    const std::int32_t code = step(*place.instance, report);
    if (code != ISOFOLD_ok && first == ISOFOLD_ok) {
      first = keep_error(code, report);
    }
  }
  return first;
}

}  // namespace

std::int32_t choose(isofold_reducer& reducer, const void* data, isofold_place** place,
                    Report& report) {
  if (reducer.named != nullptr) {
    *place = &reducer.places.front();
    return ISOFOLD_ok;
  }
  return choose_by_data(reducer, data, place, report);
}

std::int32_t check_reach(const isofold_reducer& reducer, const isofold_place& place,
                         const isofold_request& request, Report& report) {
  if (reducer.options.validate == 0 || !devices_exist()) {
    return ISOFOLD_ok;
  }
  const bool on_host = !place.backend->has_device_memory();
  const BackendReach reach{place.backend->name(), on_host ? -1 : place.device,
                           on_host || place.instance->reaches_host_memory()};
  return validate_places(request, reach, reducer.named == nullptr, report);
}

}  // namespace isofold

extern "C" {

int32_t isofold_create(const isofold_options* options, isofold_reducer** reducer) {
  if (options == nullptr || reducer == nullptr) {
    return isofold::fail(ISOFOLD_invalid_argument, "isofold_create needs options and a place for "
                                                   "the reducer; a pointer is null.");
  }
  return isofold::guarded([&] {
    isofold::backend_interface::Report report{};
    auto created = std::make_unique<isofold_reducer>();
    std::int32_t code = isofold::take_options(options, &created->options, report);
    if (code == ISOFOLD_ok) {
      code = isofold::validate_options(created->options, report);
    }
    if (code == ISOFOLD_ok) {
      code = isofold::resolve(*created, report);
    }
    created->options.backend = nullptr;  // the caller's string need not live longer
    if (code == ISOFOLD_ok && created->named != nullptr) {
      created->answered = created->named;
      code = isofold::open_named(*created, report);
    }
    if (code != ISOFOLD_ok) {
      return isofold::keep_error(code, report);
    }
    *reducer = created.release();
    return code;
  });
}

void isofold_destroy(isofold_reducer* reducer) { delete reducer; }

int32_t isofold_reduce(isofold_reducer* reducer, const isofold_request* request) {
  if (__builtin_expect(reducer == nullptr || request == nullptr, 0)) {
    return isofold::refuse_null(reducer == nullptr ? "reducer" : "request");
  }
  isofold::backend_interface::Report report;
  return isofold::guarded([&] {
    const std::int32_t code = __builtin_expect(request->size == sizeof(isofold_request), 1)
                                  ? isofold::reduce(*reducer, *request, report)
                                  : isofold::reduce_new(*reducer, request, report);
    return __builtin_expect(code == ISOFOLD_ok, 1) ? code : isofold::keep_error(code, report);
  });
}

int32_t isofold_reduce_fused(isofold_reducer* reducer, const isofold_request* requests,
                             int32_t count) {
  if (reducer == nullptr || requests == nullptr) {
    return isofold::refuse_null(reducer == nullptr ? "reducer" : "list of requests");
  }
  return isofold::guarded([&] {
    isofold::backend_interface::Report report;
    const std::int32_t code = isofold::reduce_fused(*reducer, requests, count, report);
    return code == ISOFOLD_ok ? code : isofold::keep_error(code, report);
  });
}

int32_t isofold_supports(isofold_reducer* reducer, const isofold_request* request) {
  return isofold::ask(reducer, request,
                      [](isofold_place&, const isofold_request&,
                         isofold::backend_interface::Report&) -> int32_t { return ISOFOLD_ok; });
}

int32_t isofold_reserve(isofold_reducer* reducer, const isofold_request* request) {
  return isofold::ask(
      reducer, request,
      [](isofold_place& place, const isofold_request& simple,
         isofold::backend_interface::Report& report) {
        if (isofold::skips_nan(simple) && !place.backend->has_device_memory()) {
          place.marks.reserve(static_cast<std::size_t>(simple.rows * simple.length));
        }
        return place.instance->reserve(simple, report);
      });
}

int32_t isofold_synchronize(isofold_reducer* reducer) {
  return isofold::on_every_place(reducer, [](isofold::backend_interface::Instance& instance,
                                             isofold::backend_interface::Report& report) {
    return instance.synchronize(report);
  });
}

int32_t isofold_set_stream(isofold_reducer* reducer, void* stream) {
  const int32_t code =
      isofold::on_every_place(reducer, [&](isofold::backend_interface::Instance& instance,
                                           isofold::backend_interface::Report& report) {
        return instance.set_stream(stream, report);
      });
  if (code == ISOFOLD_ok) {  // places that open later start on it
    reducer->options.stream = stream;
    reducer->options.has_stream = 1;
  }
  return code;
}

const char* isofold_reducer_backend(const isofold_reducer* reducer) {
  return reducer != nullptr && reducer->answered != nullptr ? reducer->answered->name() : "";
}

int32_t isofold_backend_device_name(const char* name, int32_t device, char* text, size_t bytes) {
  return isofold::guarded([&] {
    isofold::backend_interface::Report report{};
    isofold::backend_interface::Backend* backend = isofold::usable(name, "", report);
    if (backend == nullptr) {
      return isofold::keep_error(ISOFOLD_backend_unavailable, report);
    }
    if (text == nullptr && bytes > 0) {
      return isofold::fail(ISOFOLD_invalid_argument,
                           "The text pointer is null, yet it has room for %zu bytes.", bytes);
    }
    if (const int32_t none = isofold::check_device(*backend, device, report); none != ISOFOLD_ok) {
      return isofold::keep_error(none, report);
    }
    const int32_t code = backend->device_name(device, text, bytes);
    return code == ISOFOLD_ok
               ? code
               : isofold::fail(static_cast<isofold_code>(code),
                               "The backend %s has no device %d to name.", name, device);
  });
}

int32_t isofold_allocate(const char* name, int32_t device, size_t bytes, void** memory) {
  return isofold::guarded(
      [&] {
        isofold::backend_interface::Report report{};
        isofold::backend_interface::Backend* backend = isofold::usable(name, "", report);
        if (backend == nullptr) {
          return isofold::keep_error(ISOFOLD_backend_unavailable, report);
        }
        if (bytes > PTRDIFF_MAX) {  // which C++'s own allocation rounds up, to 0 bytes
          return isofold::fail(ISOFOLD_out_of_memory,
                               "%zu bytes are more than any memory has: ask for at most 2^63 - 1.",
                               bytes);
        }
        std::int32_t code = isofold::check_device(*backend, device, report);
        code = code == ISOFOLD_ok ? backend->allocate(device, bytes, memory, report) : code;
        return code == ISOFOLD_ok ? code : isofold::keep_error(code, report);
      },
      memory);
}

void isofold_release(const char* name, int32_t device, void* memory) {
  isofold::guarded([&] {
    isofold::backend_interface::Backend* backend = isofold::registry::load(name, nullptr);
    if (backend != nullptr && memory != nullptr) {
      backend->release(device, memory);
    }
    return int32_t{ISOFOLD_ok};
  });
}

int32_t isofold_copy(const char* name, int32_t device, void* destination, const void* source,
                     size_t bytes) {
  return isofold::guarded([&] {
    isofold::backend_interface::Report report{};
    isofold::backend_interface::Backend* backend = isofold::usable(name, "", report);
    if (backend != nullptr && bytes > 0 && (destination == nullptr || source == nullptr)) {
      return isofold::fail(ISOFOLD_invalid_argument, "A copy of %zu bytes %s a null pointer.",
                           bytes, destination == nullptr ? "to" : "from");
    }
    const std::int32_t code = backend != nullptr
                                  ? backend->copy(device, destination, source, bytes, report)
                                  : ISOFOLD_backend_unavailable;
    return code == ISOFOLD_ok ? code : isofold::keep_error(code, report);
  });
}
}

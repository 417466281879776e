// The checks of the input contract, one after the other, each with its sentence.
#include <request/validate.hpp>

#include <cstring>

#include <backend/registry.hpp>
#include <layout/layout.hpp>
#include <ops/exact_cases.hpp>
#include <request/converted_elements.hpp>
#include <request/parameters.hpp>
#include <request/unknown_number.hpp>

namespace isofold {
namespace {

using backend_interface::Report;

std::int32_t validate_header(const isofold_request& request, Report& report) noexcept {
  if (request.definition != ISOFOLD_DEFINITION_tree_v1 &&
      request.definition != ISOFOLD_DEFINITION_exact_v1) {
    return report.fail(ISOFOLD_unsupported,
                       "Definition %d is unknown; this library has 1 (tree v1) and 2 (exact_v1).",
                       request.definition);
  }
  const bool needs_layout = layout_of(request.shape) != nullptr;
  if (!needs_layout && request.shape != ISOFOLD_SHAPE_array &&
      request.shape != ISOFOLD_SHAPE_rows) {
#define ISOFOLD_NAME_SHAPE(name, number) ", " #number " (" #name ")"
    return report.fail(ISOFOLD_unsupported,
                       "Shape %d is unknown; this library has 1 (array), 2 (rows)"  //
                       ISOFOLD_LAYOUTS(ISOFOLD_NAME_SHAPE) ".",
                       request.shape);
#undef ISOFOLD_NAME_SHAPE
  }
  if (needs_layout != (request.layout != nullptr)) {
    return report.fail(ISOFOLD_invalid_argument,
                       needs_layout ? "Shape %d needs a layout; the request's is NULL."
                                    : "Shape %d has no layout; set the request's to NULL.",
                       request.shape);
  }
  if ((request.flags & ~(ISOFOLD_BLOCKING | ISOFOLD_STATE | ISOFOLD_PACKED_INDEX)) != 0) {
    return report.fail(ISOFOLD_invalid_argument,
                       "Flags 0x%x hold bits that have no meaning; set them to zero.",
                       static_cast<unsigned>(request.flags));
  }
  if (request.accumulator != 0 && computed_type(request) == ISOFOLD_TYPE_none) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The accumulator %d (%s) over elements of type %d (%s) is unknown: it is 0, "
                       "or f64 (%d) over f32.",
                       request.accumulator, isofold_type_name(request.accumulator), request.type,
                       isofold_type_name(request.type), ISOFOLD_TYPE_f64);
  }
  return ISOFOLD_ok;
}

std::int32_t refuse_case(const isofold_request& request, Report& report) noexcept {
  if (const UnknownNumber unknown = unknown_number(request.fold, request.type);
      unknown.what != nullptr) {
    return report.fail(ISOFOLD_unsupported, ISOFOLD_UNKNOWN_NUMBER, unknown.what, unknown.number);
  }
  const std::int32_t type = computed_type(request);
  if (is_exact(request) && visit_case(request.fold, type, [](auto) {})) {
    return report.fail(ISOFOLD_unsupported,
                       "The fold %s over %s has no exact_v1: its value is no real number that is "
                       "rounded once. docs/exact.md has the table; tree v1 has this fold.",
                       isofold_fold_name(request.fold), isofold_type_name(request.type));
  }
  if (!is_exact(request) && visit_exact_case(request.fold, type, [](auto) {})) {
    return report.fail(ISOFOLD_unsupported,
                       "The fold %s over %s is exact_v1's alone: ask for exact(x), in C for "
                       "definition 2, or convert the elements to f64.",
                       isofold_fold_name(request.fold), isofold_type_name(request.type));
  }
  return report.fail(ISOFOLD_unsupported,
                     "No case for fold %d (%s) over type %d (%s); docs/folds.md has the "
                     "table of folds and element types.",
                     request.fold, isofold_fold_name(request.fold), request.type,
                     isofold_type_name(request.type));
}

}  // namespace

std::int32_t validate_kind(const isofold_request& request, CaseFacts* facts,
                           Report& report) noexcept {
  const std::int32_t code = validate_header(request, report);
  if (code != ISOFOLD_ok) {
    return code;
  }
  const auto note = [&](auto fold) {
    using Fold = decltype(fold);
    facts->element_bytes = isofold_type_bytes(request.type);
    facts->element_alignment = stored_alignment(request.type);
    using Result = typename Fold::result_type;
    using State = typename Fold::state_type;
    const bool state = (request.flags & ISOFOLD_STATE) != 0;
    facts->result_bytes = state ? sizeof(State) : sizeof(Result);
    facts->result_alignment = state ? alignof(State) : alignof(Result);
    facts->arrays = Fold::arrays;
    facts->empty_is_error = Fold::empty_is_error;
    facts->parameters = TakesParameters<Fold>::value;
  };
  if (request.definition == ISOFOLD_DEFINITION_exact_v1 && !is_exact(request) &&
      (request.flags & ISOFOLD_STATE) != 0) {
    return report.fail(ISOFOLD_unsupported,
                       "The fold %s keeps no sum, so it has no words of exact_v1: its partial "
                       "results are those of tree v1, and any of them.",
                       isofold_fold_name(request.fold));
  }
  return visit_fold_of(request, note) ? ISOFOLD_ok : refuse_case(request, report);
}

std::int32_t validate_arguments(const isofold_request& request, const CaseFacts& facts,
                                Report& report) noexcept {
  if (facts.arrays == 1 && request.second != nullptr) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The fold %s takes one array; set the request's `second` to NULL.",
                       isofold_fold_name(request.fold));
  }
  if (facts.parameters != (request.parameters != nullptr)) {
    return report.fail(ISOFOLD_invalid_argument,
                       facts.parameters
                           ? "The fold %s needs parameters: point the request's `parameters` to "
                             "two elements in host memory, the low and the high end."
                           : "The fold %s takes no parameters; set the request's `parameters` to "
                             "NULL.",
                       isofold_fold_name(request.fold));
  }
  return ISOFOLD_ok;
}

bool devices_exist() { return !registry::device_backends().empty(); }

std::int32_t locate(const void* pointer, Located* located, Report& report) {
  *located = {};
  std::int32_t answer = ISOFOLD_ok;
  if (pointer != nullptr) {
    for (backend_interface::Backend* backend : registry::device_backends()) {
      backend_interface::Place place;
      const std::int32_t code = backend->locate(pointer, &place, report);
      if (code == ISOFOLD_ok && place.memory != ISOFOLD_MEMORY_host) {
        *located = {place, backend};
        return ISOFOLD_ok;
      }
      answer = code != ISOFOLD_ok ? code : answer;
    }
  }
  return answer;
}

namespace {

const char* memory_name(std::int32_t memory) noexcept {
  switch (memory) {
    case ISOFOLD_MEMORY_pinned: return "pinned host memory";
    case ISOFOLD_MEMORY_managed: return "managed memory";
    case ISOFOLD_MEMORY_device: return "device memory";
    default: return "host memory";
  }
}

// Tells the kind of memory of `pointer`, and whether the backend reaches it.
std::int32_t validate_place(const char* what, const void* pointer, const BackendReach& reach,
                            const char* way_out, Report& report) {
  const bool on_host = reach.device < 0;
  Located located;
  if (const std::int32_t code = locate(pointer, &located, report); code != ISOFOLD_ok) {
    // A named host backend was told that this is host memory, and goes on even if a device is lost.
    return on_host ? std::int32_t{ISOFOLD_ok} : code;
  }
  const std::int32_t memory = located.place.memory;
  if (memory == ISOFOLD_MEMORY_host && reach.host_memory) {
    return ISOFOLD_ok;
  }
  const bool own =
      located.backend == nullptr || std::strcmp(located.backend->name(), reach.backend) == 0;
  if (on_host ? memory != ISOFOLD_MEMORY_device : memory != ISOFOLD_MEMORY_host && own) {
    if (on_host || memory != ISOFOLD_MEMORY_device || located.place.device == reach.device) {
      return ISOFOLD_ok;
    }
    return report.fail(ISOFOLD_wrong_memory,
                       "The %s at %p lies on device %d, and this reducer "
                       "works on device %d; make one with Options{}.device(%d).",
                       what, pointer, located.place.device, reach.device, located.place.device);
  }
  return report.fail(
      ISOFOLD_wrong_memory, "The %s at %p is %s%s%s, which the backend %s cannot reach; %s.", what,
      pointer, memory_name(memory), located.backend != nullptr ? " of " : "",
      located.backend != nullptr ? located.backend->name() : "", reach.backend, way_out);
}

// The host itself, for calls that no backend answers.
constexpr BackendReach host_reach{"of the host", -1, true};

// Validates, as above, the places of what a layout points to.
std::int32_t validate_list_places(const isofold_request& request, const BackendReach& reach,
                                  const char* way_out, Report& report) {
  if (request.layout == nullptr) {
    return ISOFOLD_ok;
  }
  const isofold_layout& layout = *request.layout;
  for (const void* list : {layout.mask, layout.begins, layout.ends, layout.indices}) {
    if (list != nullptr) {
      const std::int32_t code = validate_place("layout's array", list, reach, way_out, report);
      if (code != ISOFOLD_ok) {
        return code;
      }
    }
  }
  return ISOFOLD_ok;
}

}  // namespace

std::int32_t validate_host_elements(const isofold_request& request, Report& report) {
  constexpr const char* way_out = "give a copy in host memory: its NaNs are counted";
  const std::int32_t code = validate_place("data", request.data, host_reach, way_out, report);
  return code == ISOFOLD_ok && request.second != nullptr
             ? validate_place("second array", request.second, host_reach, way_out, report)
             : code;
}

std::int32_t validate_host_lists(const isofold_request& request, Report& report) {
  constexpr const char* way_out = "give a copy of it in host memory: no element is read";
  const bool lists_arrays =
      request.shape == ISOFOLD_SHAPE_batch || request.shape == ISOFOLD_SHAPE_joined;
  const std::int32_t code =
      lists_arrays ? validate_place("list of arrays", request.data, host_reach, way_out, report)
                   : std::int32_t{ISOFOLD_ok};
  return code == ISOFOLD_ok ? validate_list_places(request, host_reach, way_out, report) : code;
}

std::int32_t validate_places(const isofold_request& request, const BackendReach& reach,
                             bool data_chose, Report& report) {
  const bool has_data =
      has_layout(request) ? layout_of(request).entries(request) > 0 : request.length > 0;
  std::int32_t code = ISOFOLD_ok;
  if (has_data && !data_chose) {
    code = validate_place("data", request.data, reach,
                          "a named backend never moves data: copy it, or use a default Reducer, "
                          "which goes where the data is",
                          report);
  }
  if (code == ISOFOLD_ok && has_data && request.second != nullptr) {
    code = validate_place("second array", request.second, reach,
                          "both arrays lie in memory of one place", report);
  }
  if (code == ISOFOLD_ok) {
    code = validate_list_places(request, reach, "it lies where the data do", report);
  }
  if (code != ISOFOLD_ok) {
    return code;
  }
  const bool to_host = (request.flags & ISOFOLD_BLOCKING) != 0;
  return validate_place(
      "result", request.result, to_host ? BackendReach{reach.backend, -1, true} : reach,
      to_host ? "a blocking call returns to host memory" : "give it memory there, as the data has",
      report);
}

}  // namespace isofold

// The functions of isofold/mpi.h. Include this in exactly one C++ file of a program that calls them
// from C, Fortran or another language, and compile that file with mpicxx.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <isofold/detail/mpi/calls.hpp>
#include <isofold/detail/mpi/slices.hpp>
#include <isofold/mpi.h>

struct isofold_team {
  isofold_team(MPI_Comm comm, const isofold::mpi::Limits& limits) : state(comm, limits) {}
  isofold_team(const isofold_team&) = delete;
  isofold_team& operator=(const isofold_team&) = delete;
  ~isofold_team() { isofold_destroy(own_reducer); }

  // The caller's reducer, or without one a default one.
  isofold_reducer* reducer_or_own(isofold_reducer* reducer) {
    if (reducer == nullptr && own_reducer == nullptr) {
      isofold_options options{};
      options.size = sizeof options;
      options.device = -1;
      options.validate = 1;
      isofold::check(isofold_create(&options, &own_reducer));
    }
    return reducer != nullptr ? reducer : own_reducer;
  }

  isofold::mpi::detail::TeamState state;
  isofold_reducer* own_reducer = nullptr;
};

struct isofold_team_call {
  std::unique_ptr<isofold::mpi::detail::StartedCall> started;
  std::unique_ptr<isofold::mpi::detail::PreparedCall> prepared;
  std::vector<void*> results;
};

namespace isofold::mpi::detail {

inline std::string& last_sentence() {
  thread_local std::string sentence;
  return sentence;
}

// The code of what `use` throws, its sentence kept.
template <class Use>
std::int32_t code_of(Use&& use) {
  Failure failure = failure_of(std::forward<Use>(use));
  if (failure) {
    last_sentence() = std::move(failure.sentence);
  }
  return static_cast<std::int32_t>(failure.code);
}

inline Placement placement_of_part(const isofold_part& part, const isofold_request& request) {
  Placement placement;
  if (part.size != sizeof part) {
    throw Error(Code::unsupported, "An isofold_part of " + std::to_string(part.size) +
                                       " bytes: set `size` to sizeof(isofold_part), which is " +
                                       std::to_string(sizeof part) + ".");
  }
  placement.total = part.total;
  switch (part.kind) {
    case ISOFOLD_PART_none: return placement;
    case ISOFOLD_PART_box:
      set_extents(placement, request);
      if (part.dimensions != placement.dimensions) {
        throw Error(Code::invalid_argument, "A part of " + std::to_string(part.dimensions) +
                                                " dimensions, and a request of " +
                                                std::to_string(placement.dimensions) + ".");
      }
      std::copy(part.whole, part.whole + ISOFOLD_MOST_DIMENSIONS, placement.whole);
      std::copy(part.offsets, part.offsets + ISOFOLD_MOST_DIMENSIONS, placement.offsets);
      place_box(placement);
      break;
    case ISOFOLD_PART_list:
      placement.indices = part.indices;
      placement.count = request.length;
      place_list(placement);
      break;
    case ISOFOLD_PART_layers:
      placement.first_row = part.first;
      placement.count = request.rows;
      place_layers(placement);
      break;
    default:
      throw Error(Code::invalid_argument, "The kind " + std::to_string(part.kind) +
                                              " of a part: there are none, box, list and layers.");
  }
  if (!placement.fault.empty()) {
    throw Error(Code::invalid_argument, placement.fault);
  }
  return placement;
}

// An item of a request of the C ABI, which may be shorter than this one.
inline Item item_of(const isofold_request& request, const isofold_part* part) {
  if (request.size != sizeof request ||
      (request.layout != nullptr && request.layout->size != sizeof *request.layout)) {
    throw Error(Code::unsupported,
                "A request, or its layout, of another size than this isofold.h has: set `size` to "
                "sizeof(isofold_request) and sizeof(isofold_layout).");
  }
  Item item;
  item.request = request;
  if (request.layout != nullptr) {
    item.layout = *request.layout;
  }
  item.request.flags &= ~std::int32_t{ISOFOLD_BLOCKING};
  const std::int32_t parameters = isofold_fold_parameters(request.fold);
  if (parameters != 0 && request.parameters != nullptr) {
    item.parameter_bytes = std::min(static_cast<std::size_t>(isofold_type_bytes(request.type)) *
                                        static_cast<std::size_t>(parameters),
                                    sizeof item.parameters);
    std::memcpy(item.parameters, request.parameters, item.parameter_bytes);
  }
  if (part != nullptr) {
    item.placement = placement_of_part(*part, request);
  }
  return item;
}

[[nodiscard]] inline bool has_same_input(const isofold_request& a, const isofold_request& b) {
  return a.data == b.data && a.type == b.type && a.accumulator == b.accumulator &&
         a.shape == b.shape && a.flags == b.flags && a.rows == b.rows && a.length == b.length &&
         a.stride == b.stride && a.layout == b.layout;
}

inline void check_requests(const void* team, const void* requests, std::int32_t count) {
  if (team == nullptr || requests == nullptr || count < 1) {
    throw Error(Code::invalid_argument,
                "A call of " + std::to_string(count) +
                    " requests, or of a null pointer: it takes a Team and at least one request.");
  }
}

inline void check_prepared(const isofold_team_call* call) {
  if (call == nullptr || call->prepared == nullptr) {
    throw Error(Code::invalid_argument, "A call that was not prepared: isofold_team_prepare().");
  }
}

inline Plan plan_of_requests(const isofold_request* requests, const isofold_part* parts,
                             std::int32_t count) {
  Plan plan;
  std::int32_t group = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    Item item = item_of(requests[i], parts == nullptr ? nullptr : parts + i);
    group += i > 0 && !has_same_input(requests[i - 1], requests[i]) ? 1 : 0;
    item.group = group;
    plan.add(std::move(item));
  }
  return plan;
}
inline Plan plan_of_box(std::int32_t fold, std::int32_t definition, std::int32_t type,
                        const void* data, std::int32_t dimensions, const std::int64_t* extents,
                        const std::int64_t* strides) {
  if (dimensions < 1 || dimensions > ISOFOLD_MOST_DIMENSIONS || strides == nullptr) {
    throw Error(Code::invalid_argument,
                "A box of " + std::to_string(dimensions) +
                    " dimensions, or without strides: there can be 1 to 8.");
  }
  isofold_layout layout{};
  layout.size = sizeof layout;
  layout.dimensions = dimensions;
  std::copy(extents, extents + dimensions, layout.extents);
  std::copy(strides, strides + dimensions, layout.strides);
  isofold_request request{};
  request.size = sizeof request;
  request.definition = definition;
  request.fold = fold;
  request.type = type;
  request.shape = ISOFOLD_SHAPE_box;
  request.data = data;
  request.rows = 1;
  request.length = 1;
  for (std::int32_t d = 0; d < dimensions; ++d) {  // unsigned: overflow is refused, and no trap
    request.length = as_signed(as_unsigned(request.length) * as_unsigned(extents[d]));
  }
  request.layout = &layout;
  return plan_of_requests(&request, nullptr, 1);
}
inline std::vector<void*> results_of(const isofold_request* requests, std::int32_t count) {
  std::vector<void*> results;
  for (std::int32_t i = 0; i < count; ++i) {
    results.push_back(requests[i].result);
  }
  return results;
}
// Writes all results or, if one of them is an error, which it is on all ranks, none.
inline void write_results(Exchange& exchange, const std::vector<void*>& results) {
  std::vector<std::vector<unsigned char>> made(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Item& item = exchange.plan().items()[i];
    made[i].resize(static_cast<std::size_t>(item.rows) * item.bytes());
    exchange.decode(i, made[i].data());
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::copy(made[i].begin(), made[i].end(), static_cast<unsigned char*>(results[i]));
  }
}

// Makes a call of these requests, which begin(call, plan) starts or prepares.
template <class Begin>
std::int32_t make_call(isofold_team* team, const isofold_request* requests,
                       const isofold_part* parts, std::int32_t count, isofold_team_call** call,
                       Begin&& begin) {
  return code_of([&] {
    check_requests(team, requests, count);
    auto made = std::make_unique<isofold_team_call>();
    made->results = results_of(requests, count);
    begin(*made, [&] { return plan_of_requests(requests, parts, count); });
    *call = made.release();
  });
}

}  // namespace isofold::mpi::detail

extern "C" {

const char* isofold_last_team_error() { return isofold::mpi::detail::last_sentence().c_str(); }

int32_t isofold_team_create(MPI_Comm comm, isofold_team** team) {
  return isofold::mpi::detail::code_of(
      [&] { *team = new isofold_team(comm, isofold::mpi::Limits{}); });
}
int32_t isofold_team_create_f(MPI_Fint comm, isofold_team** team) {
  return isofold_team_create(MPI_Comm_f2c(comm), team);
}
void isofold_team_destroy(isofold_team* team) { delete team; }

int32_t isofold_team_reduce(isofold_team* team, isofold_reducer* reducer,
                            const isofold_request* requests, const isofold_part* parts,
                            int32_t count) {
  namespace detail = isofold::mpi::detail;
  return detail::code_of([&] {
    detail::check_requests(team, requests, count);
    detail::Exchange exchange = team->state.call(team->reducer_or_own(reducer), [&] {
      return detail::plan_of_requests(requests, parts, count);
    });
    detail::write_results(exchange, detail::results_of(requests, count));
  });
}

int32_t isofold_team_reduce_box(isofold_team* team, isofold_reducer* reducer, int32_t fold,
                                int32_t definition, int32_t type, const void* data,
                                int32_t dimensions, const int64_t* extents, const int64_t* strides,
                                void* result) {
  namespace detail = isofold::mpi::detail;
  return detail::code_of([&] {
    detail::check_requests(team, extents, 1);
    detail::Exchange exchange = team->state.call(team->reducer_or_own(reducer), [&] {
      return detail::plan_of_box(fold, definition, type, data, dimensions, extents, strides);
    });
    detail::write_results(exchange, {result});
  });
}

int32_t isofold_team_start(isofold_team* team, isofold_reducer* reducer,
                           const isofold_request* requests, const isofold_part* parts,
                           int32_t count, isofold_team_call** call) {
  return isofold::mpi::detail::make_call(
      team, requests, parts, count, call, [&](isofold_team_call& made, const auto& plan) {
        made.started = team->state.start(team->reducer_or_own(reducer), plan);
      });
}
int32_t isofold_team_wait(isofold_team_call* call) {
  namespace detail = isofold::mpi::detail;
  const std::unique_ptr<isofold_team_call> owned(call);
  return detail::code_of([&] {
    if (owned == nullptr || owned->started == nullptr) {
      throw isofold::Error(isofold::Code::invalid_argument, "A call that was not started.");
    }
    owned->started->wait();
    detail::write_results(owned->started->exchange, owned->results);
  });
}

int32_t isofold_team_prepare(isofold_team* team, isofold_reducer* reducer,
                             const isofold_request* requests, const isofold_part* parts,
                             int32_t count, isofold_team_call** call) {
  return isofold::mpi::detail::make_call(
      team, requests, parts, count, call, [&](isofold_team_call& made, const auto& plan) {
        made.prepared = team->state.prepare(team->reducer_or_own(reducer), plan);
      });
}
int32_t isofold_team_restart(isofold_team_call* call) {
  return isofold::mpi::detail::code_of([&] {
    isofold::mpi::detail::check_prepared(call);
    call->prepared->start();
  });
}
int32_t isofold_team_finish(isofold_team_call* call) {
  namespace detail = isofold::mpi::detail;
  return detail::code_of([&] {
    detail::check_prepared(call);
    call->prepared->wait();
    detail::write_results(call->prepared->exchange, call->results);
  });
}
void isofold_team_release(isofold_team_call* call) { delete call; }

int32_t isofold_team_slice(isofold_team* team, isofold_reducer* reducer,
                           const isofold_request* requests, int32_t count, int64_t first,
                           int64_t total) {
  namespace detail = isofold::mpi::detail;
  return detail::code_of([&] {
    detail::check_requests(team, requests, count);
    std::vector<std::int32_t> folds;
    std::vector<std::vector<unsigned char>> made;
    std::vector<void*> out;
    for (std::int32_t i = 0; i < count; ++i) {
      folds.push_back(requests[i].fold);
      made.emplace_back(static_cast<std::size_t>(
          std::max<std::int64_t>(isofold_result_bytes(requests[i].fold, requests[i].type), 0)));
      out.push_back(made.back().data());
    }
    isofold_request request = requests[0];
    request.flags &= ~std::int32_t{ISOFOLD_BLOCKING};
    detail::reduce_slices(team->state, team->reducer_or_own(reducer), {},
                          {folds.data(), folds.size(), request, {first, request.length, total}},
                          out.data());
    for (std::size_t i = 0; i < made.size(); ++i) {
      std::copy(made[i].begin(), made[i].end(), static_cast<unsigned char*>(requests[i].result));
    }
  });
}

int32_t isofold_team_fail(isofold_team* team, int32_t code, const char* sentence) {
  return isofold::mpi::detail::code_of([&] {
    team->state.fail(static_cast<isofold::Code>(code), sentence == nullptr ? "" : sentence);
  });
}

}  // extern "C"

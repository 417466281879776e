// Partial results in memory of a backend: their words, from results and back. Host memory is read
// and written here, other memory by its backend.
#include <cinttypes>
#include <cstring>

#include <api/errors.hpp>
#include <api/reducer.hpp>
#include <isofold/detail/partial_format.hpp>
#include <request/unknown_number.hpp>

namespace isofold {
namespace {

namespace partial = core::partial;
using backend_interface::PartialRows;
using backend_interface::Report;

// Slots for keys take memory for each part.
constexpr std::int64_t most_parts = std::int64_t{1} << 20;

std::int32_t check_place(const isofold_partial& asked, Report& report) {
  if (asked.dimensions < 1 || asked.dimensions > ISOFOLD_MOST_DIMENSIONS) {
    return report.fail(ISOFOLD_invalid_argument,
                       "A location in a box of %d dimensions: it has 1 to %d, and an array is one "
                       "of 1.",
                       asked.dimensions, ISOFOLD_MOST_DIMENSIONS);
  }
  for (std::int32_t d = 0; d < asked.dimensions; ++d) {
    const std::int64_t extent = asked.extents[d];
    const std::int64_t offset = asked.offsets[d];
    if (extent < 0 || offset < 0 || asked.whole[d] < offset || extent > asked.whole[d] - offset) {
      return report.fail(ISOFOLD_invalid_argument,
                         "A part of %" PRId64 " from %" PRId64
                         " on in dimension %d of the whole box, whose extent is %" PRId64
                         ": it must lie within.",
                         extent, offset, d, asked.whole[d]);
    }
  }
  return ISOFOLD_ok;
}

// Reads a caller's struct.
std::int32_t take(const isofold_partial* asked, PartialRows* rows, Report& report) {
  if (asked->size != sizeof *asked) {
    return report.fail(ISOFOLD_unsupported,
                       "isofold_partial.size is %" PRIu64 "; set it to sizeof(isofold_partial), "
                       "which is %zu here.",
                       asked->size, sizeof *asked);
  }
  const bool found =
      partial::find_format(asked->fold, asked->type, asked->definition, &rows->format);
  if (const UnknownNumber unknown = unknown_number(asked->fold, asked->type);
      unknown.what != nullptr) {
    return report.fail(ISOFOLD_unsupported, ISOFOLD_UNKNOWN_NUMBER, unknown.what, unknown.number);
  }
  if (!found) {
    return report.fail(
        ISOFOLD_unsupported,
        "Fold %d (%s) over type %d (%s) by definition %d has no partial results that "
        "are free of order; exact_v1 (2) has those of sums (docs/exact.md).",
        asked->fold, isofold_fold_name(asked->fold), asked->type, isofold_type_name(asked->type),
        asked->definition);
  }
  if (asked->rows < 0 || asked->parts < 1 || asked->parts > most_parts || asked->part < 0 ||
      asked->part >= asked->parts) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%" PRId64 " results of part %" PRId64 " of %" PRId64
                       ": there are 0 or more results, and 1 to 2^20 parts, numbered from 0.",
                       asked->rows, asked->part, asked->parts);
  }
  const std::int64_t words = partial::words_of_row(rows->format, asked->parts);
  if (asked->rows > (std::int64_t{1} << 59) / words) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%" PRId64 " results of %" PRId64 " words each are more than memory holds.",
                       asked->rows, words);
  }
  if (rows->format.has_locations()) {
    if (const std::int32_t code = check_place(*asked, report); code != ISOFOLD_ok) {
      return code;
    }
    rows->place.dimensions = asked->dimensions;
    std::memcpy(rows->place.extents, asked->extents, sizeof asked->extents);
    std::memcpy(rows->place.offsets, asked->offsets, sizeof asked->offsets);
    std::memcpy(rows->place.whole, asked->whole, sizeof asked->whole);
  }
  rows->rows = asked->rows;
  rows->part = asked->part;
  rows->parts = asked->parts;
  return ISOFOLD_ok;
}

// Runs use(rows, place) on the place where `from` lies, which must reach `to`, too.
template <class Use>
std::int32_t with_place(isofold_reducer* reducer, const isofold_partial* asked, const void* from,
                        void* to, Use&& use) {
  return guarded(
      [&] {
        Report report;
        PartialRows rows;
        std::int32_t code = take(asked, &rows, report);
        if (code == ISOFOLD_ok && rows.rows == 0) {
          return code;
        }
        // As a request sees it: so many bytes there, and a result here.
        isofold_request request{};
        request.size = sizeof request;
        request.definition = asked->definition;
        request.fold = asked->fold;
        request.type = asked->type;
        request.shape = ISOFOLD_SHAPE_rows;
        request.data = from;
        request.rows = rows.rows;
        request.length = 1;
        request.result = to;
        isofold_place* place = nullptr;
        if (code == ISOFOLD_ok && (from == nullptr || to == nullptr)) {
          code = report.fail(ISOFOLD_invalid_argument,
                             "A pointer to words, or to results, is null, and there are %" PRId64
                             " results.",
                             rows.rows);
        }
        code = code == ISOFOLD_ok ? choose(*reducer, from, &place, report) : code;
        code = code == ISOFOLD_ok ? check_reach(*reducer, *place, request, report) : code;
        code = code == ISOFOLD_ok ? use(rows, *place, request, report) : code;
        return code == ISOFOLD_ok ? code : keep_error(code, report);
      },
      reducer, asked);
}

std::int32_t write_on_host(const PartialRows& rows, const void* results, std::int64_t* words) {
  const auto* const from = static_cast<const unsigned char*>(results);
  const std::int64_t each = partial::words_of_row(rows.format, rows.parts);
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    partial::write_row(
        rows.format, from + row * rows.format.bytes,
        [&](std::int64_t index, partial::Toward) { return rows.place.global_index(index); },
        rows.part, words + row * each);
  }
  return ISOFOLD_ok;
}

// The sentence of a failure is this thread's last error.
std::int32_t finish_on_host(const PartialRows& rows, std::int32_t type, const std::int64_t* words,
                            void* results) {
  auto* const to = static_cast<unsigned char*>(results);
  const std::int64_t each = partial::words_of_row(rows.format, rows.parts);
  std::int32_t code = ISOFOLD_ok;
  for (std::int64_t row = 0; row < rows.rows && code == ISOFOLD_ok; ++row) {
    unsigned char* const result = to + row * rows.format.bytes;
    if (rows.format.form == partial::Form::words) {
      code = isofold_exact_finish(rows.format.fold, type, words + row * each, result);
    } else {
      partial::finish_row(rows.format, words + row * each, rows.parts, result);
    }
  }
  return code;
}

}  // namespace
}  // namespace isofold

extern "C" {

int64_t isofold_partial_words(const isofold_partial* partial) {
  int64_t words = 0;
  (void)isofold::guarded(
      [&] {
        isofold::backend_interface::Report report;
        isofold::backend_interface::PartialRows rows;
        const std::int32_t code = isofold::take(partial, &rows, report);
        words = code == ISOFOLD_ok
                    ? rows.rows * isofold::partial::words_of_row(rows.format, rows.parts)
                    : 0;
        return code == ISOFOLD_ok ? code : isofold::keep_error(code, report);
      },
      partial);
  return words;
}

int32_t isofold_partial_write(isofold_reducer* reducer, const isofold_partial* partial,
                              const void* results, int64_t* words) {
  return isofold::with_place(
      reducer, partial, results, words,
      [&](const auto& rows, const isofold_place& place, const isofold_request& request,
          auto& report) -> std::int32_t {
        if (rows.format.form == isofold::partial::Form::words) {
          return report.fail(ISOFOLD_unsupported,
                             "The words of fold %d by exact_v1 are written by a request with "
                             "ISOFOLD_STATE, not from its results.",
                             request.fold);
        }
        return place.backend->has_device_memory()
                   ? place.instance->write_partial(rows, results, words, report)
                   : isofold::write_on_host(rows, results, words);
      });
}

int32_t isofold_partial_finish(isofold_reducer* reducer, const isofold_partial* partial,
                               const int64_t* words, void* results) {
  bool on_host = false;
  isofold::backend_interface::PartialRows all;
  const int32_t code = isofold::with_place(
      reducer, partial, words, results,
      [&](const auto& rows, const isofold_place& place, const isofold_request& request,
          auto& report) -> std::int32_t {
        on_host = !place.backend->has_device_memory();
        if (on_host) {
          all = rows;
          return ISOFOLD_ok;
        }
        return rows.format.form == isofold::partial::Form::words
                   ? place.instance->finish_exact(request, report)
                   : place.instance->finish_partial(rows, words, results, report);
      });
  return on_host ? isofold::finish_on_host(all, partial->type, words, results) : code;
}
}

// DeviceCall: a call whose elements, words and results stay on the GPUs. Each enqueue() is, on each
// GPU's stream: the local reduction, one ncclAllReduce of int64 words, and the finish.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <isofold/detail/nccl/members.hpp>
#include <isofold/detail/team/results.hpp>

namespace isofold::nccl::detail {

class DeviceCall {
 public:
  explicit DeviceCall(const std::vector<Gpu>& gpus) : gpus_(&gpus) {}

  // Collective, and waits: makes each member's plan by make(its number), agrees on it with all
  // ranks, and runs it once, so that all memory is there and all kernels are loaded.
  template <class Make>
  void prepare(Make&& make) {
    for (std::size_t m = 0; m < gpus_->size(); ++m) {
      parts_.emplace_back((*gpus_)[m].rank());
      Part& part = parts_.back();
      part.failure = failure_of([&] {
        part.plan = make(static_cast<int>(m));
        lay_out(part, (*gpus_)[m]);
      });
    }
    agree();
    check_coverage();
    enqueue();
    check();
  }
  // Not collective in itself, but all members of all processes must enqueue alike. Errors wait for
  // check(); in a graph capture, which they end, they are thrown.
  void enqueue() {
    for (std::size_t m = 0; m < parts_.size(); ++m) {
      Part& part = parts_[m];
      const Failure failure = failure_of([&] { reduce(part, (*gpus_)[m]); });
      if (failure.code == Code::capture) {
        throw Error(failure.code, failure.sentence);
      }
      part.failure = part.failure ? part.failure : failure;
    }
    std::size_t m = 0;
    together(*gpus_, [&](const Gpu& gpu) {
      const Part& part = parts_[m++];
      gpu.all_reduce(part.sent.words(), part.received.words(), part.words, ncclSum);
    });
    for (m = 0; m < parts_.size(); ++m) {
      Part& part = parts_[m];
      const Failure failure = failure_of([&] { finish(part, (*gpus_)[m]); });
      part.failure = part.failure ? part.failure : failure;
    }
  }
  // Collective, and waits for what was enqueued: the same error on all ranks, or none.
  void check() {
    for (std::size_t m = 0; m < parts_.size(); ++m) {
      const Failure failure = failure_of([&] { (*gpus_)[m].wait(); });
      parts_[m].failure = parts_[m].failure ? parts_[m].failure : failure;
    }
    agree();
  }

  [[nodiscard]] const Plan& plan() const { return parts_.front().plan; }
  // Results of an item, in memory of a member's device.
  [[nodiscard]] const void* results(int member, std::size_t number) const {
    const Part& part = parts_[static_cast<std::size_t>(member)];
    return part.results.at(part.places[number].result);
  }
  // Copies the results of an item from the first member to host memory.
  void decode(std::size_t number, void* to) const {
    const Part& part = parts_.front();
    const Item& item = part.plan.items()[number];
    part.results.read(to, static_cast<std::size_t>(item.rows) * item.bytes(),
                      part.places[number].result);
  }

 private:
  // The places of an item.
  struct Place {
    isofold_partial partial{};
    std::int64_t word = 0;    // in the message
    std::int64_t each = 0;    // words of a row
    std::int64_t local = 0;   // bytes, in `locals`
    std::int64_t result = 0;  // bytes, in `results`
  };
  struct Part {
    explicit Part(int of) : rank(of) {}
    int rank;
    Plan plan;
    Failure failure;
    std::vector<Place> places;
    std::int64_t words = 0;
    DeviceMemory sent;
    DeviceMemory received;
    DeviceMemory locals;
    DeviceMemory results;
  };

  static std::int64_t aligned(std::int64_t bytes) { return (bytes + 15) / 16 * 16; }

  void lay_out(Part& part, const Gpu& gpu) const {
    std::int64_t locals = 0;
    std::int64_t results = 0;
    for (const Item& item : part.plan.items()) {
      Place place;
      place.partial.size = sizeof place.partial;
      place.partial.definition = item.request.definition;
      place.partial.fold = item.request.fold;
      place.partial.type = item.type;
      place.partial.rows = item.rows;
      place.partial.part = gpu.rank();
      place.partial.parts = gpu.ranks();
      if (item.format.has_locations()) {
        set_box(item, &place.partial);
      }
      place.each = core::partial::words_of_row(item.format, gpu.ranks());
      place.word = part.words;
      place.local = locals;
      place.result = results;
      part.words += item.rows * place.each;
      locals += aligned(item.request.rows * item.format.bytes);
      results += aligned(item.rows * item.format.bytes);
      part.places.push_back(place);
    }
    const auto bytes = static_cast<std::size_t>(part.words) * sizeof(std::int64_t);
    part.sent = gpu.memory(bytes);
    part.received = gpu.memory(bytes);
    part.locals = gpu.memory(static_cast<std::size_t>(locals));
    part.results = gpu.memory(static_cast<std::size_t>(results));
  }
  static void set_box(const Item& item, isofold_partial* partial) {
    const Placement& placement = item.placement;
    const bool selects = (item.request.flags & ISOFOLD_SKIP_NAN) != 0 ||
                         (item.request.shape == ISOFOLD_SHAPE_box && item.layout.mask != nullptr);
    if (placement.kind != Placement::Kind::box || selects) {
      throw Error(Code::unsupported,
                  "The location " + item.text() +
                      " over GPUs is one of a part() of a whole box or array, without a mask and "
                      "without skip_nan: isofold::mpi::Team has the others.");
    }
    partial->dimensions = placement.dimensions;
    std::copy_n(placement.extents, ISOFOLD_MOST_DIMENSIONS, partial->extents);
    std::copy_n(placement.offsets, ISOFOLD_MOST_DIMENSIONS, partial->offsets);
    std::copy_n(placement.whole, ISOFOLD_MOST_DIMENSIONS, partial->whole);
  }

  void agree() {
    std::int64_t header[header_words] = {};
    std::vector<Voice> voices;
    for (const Part& part : parts_) {
      voices.push_back({part.rank, part.failure, part.plan.hash(), part.plan.text()});
      add_header(header, static_cast<bool>(part.failure), voices.back().hash);
    }
    const Talk talk(*gpus_);
    talk.all_reduce(header, header_words, Combine::sum);
    for (Part& part : parts_) {
      part.failure = {};
    }
    if (judge(header, talk.size()) != Verdict::agreed) {
      throw_together(talk, voices);
    }
  }
  void check_coverage() const {
    std::vector<std::int64_t> words(static_cast<std::size_t>(plan().coverage_words()));
    for (const Part& part : parts_) {
      part.plan.add_coverage({part.rank, 0}, words.data());
    }
    Talk(*gpus_).all_reduce(words.data(), static_cast<std::int64_t>(words.size()), Combine::sum);
    plan().check_coverage(words.data());
  }

  static void reduce(Part& part, const Gpu& gpu) {
    for (std::size_t i = 0; i < part.places.size(); ++i) {
      Item& item = part.plan.items()[i];
      const Place& place = part.places[i];
      isofold_request request = item.wired();
      request.flags &= ~std::int32_t{ISOFOLD_BLOCKING};
      std::int64_t* const words =
          part.sent.words(place.word + item.placement.first_row * place.each);
      if (item.format.form == Form::words) {
        request.flags |= ISOFOLD_STATE;
        request.result = words;
        isofold::check(isofold_reduce(gpu.reducer(), &request));
        continue;
      }
      // A request of tree v1, which every backend has: these folds have the same result by both.
      request.definition = ISOFOLD_DEFINITION_tree_v1;
      request.result = part.locals.at(place.local);
      isofold::check(isofold_reduce(gpu.reducer(), &request));
      isofold_partial own = place.partial;
      own.rows = request.rows;
      isofold::check(isofold_partial_write(gpu.reducer(), &own, request.result, words));
    }
  }
  static void finish(const Part& part, const Gpu& gpu) {
    for (const Place& place : part.places) {
      isofold::check(isofold_partial_finish(gpu.reducer(), &place.partial,
                                            part.received.words(place.word),
                                            part.results.at(place.result)));
    }
  }

  const std::vector<Gpu>* gpus_;
  std::vector<Part> parts_;
};

}  // namespace isofold::nccl::detail

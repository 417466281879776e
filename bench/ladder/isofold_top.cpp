// The top rung: isofold through its public interface, asynchronous on the ladder's stream.
#include <isofold/isofold.hpp>

#include "rung.hpp"

namespace bench::ladder {
namespace {

isofold::Reducer& reducer_on(cudaStream_t stream) {
  static isofold::Reducer reducer(isofold::Backend::cuda,
                                  isofold::Options{}.device(0).stream(stream));
  return reducer;
}

template <class T>
void enqueue(const Work& work) {
  using Result = isofold::result_t<isofold::Fold::sum, T>;
  isofold::Reducer& reduce = reducer_on(work.stream);
  const auto* x = static_cast<const T*>(work.data);
  auto* results = static_cast<Result*>(work.results);
  if (work.rows == 1) {
    reduce.sum(isofold::array(x, work.length), results);
  } else {
    reduce.sum(isofold::rows(x, work.rows, work.length), results);
  }
}

}  // namespace
extern const Rung isofold_f32;
extern const Rung isofold_i32;
const Rung isofold_f32{"isofold", "the public interface; the bits of tree v1", enqueue<float>};
const Rung isofold_i32{"isofold", "the public interface; a sum of 64 bits", enqueue<std::int32_t>};
}  // namespace bench::ladder

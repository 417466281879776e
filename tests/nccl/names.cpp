// isofold/nccl.hpp by the header of NCCL, or by RCCL's names: compiled, never run.
#include <isofold/nccl.hpp>

#include <tuple>

double use_team(ncclComm_t comm, isofold::nccl::Stream stream, isofold::Reducer& reduce,
                const double* x, std::int64_t n) {
  using isofold::nccl::request;
  isofold::nccl::Team team({comm, &reduce, stream});
  auto call = team.prepare(fuse(exact(isofold::sum), isofold::maximum), isofold::array(x, n));
  call.enqueue();
  const auto [sum, most] = call.results();
  isofold::nccl::Team of_several({{comm, &reduce, stream}, {comm, &reduce, stream}});
  auto dots = of_several.prepare_each([&](int) {
    return std::tuple(
        request(isofold::dot, exact(isofold::array(x, n)), exact(isofold::array(x, n))),
        request(isofold::argmax, isofold::nccl::part(isofold::array(x, n), 0, n)));
  });
  dots.enqueue();
  dots.check();
  return sum + most + *dots.on_device<double>(1, 0);
}

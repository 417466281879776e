// A peer is a module of its own, opened when the bench starts: code that it compiles with its own
// flags, templates of the standard library included, is seen by nobody else, and a peer that cannot
// be opened says why. Peers use BENCH_EXPORT_PEER, benches open_peer().
#pragma once

#include <dlfcn.h>

#include <cstring>
#include <string>

// The one symbol of the module `module`, which peers/peer.map exports; `...` initialises the peer.
#define BENCH_EXPORT_PEER(module, Type, ...)                                                   \
  extern "C" __attribute__((visibility("default"))) const Type* isofold_bench_peer_##module(); \
  extern "C" const Type* isofold_bench_peer_##module() {                                       \
    static const Type peer{__VA_ARGS__};                                                       \
    return &peer;                                                                              \
  }

namespace bench {

// A peer that a program may have, and why it was not built: nullptr for a peer that was.
struct PeerModule {
  const char* name;
  const char* why_not;
};

template <class Peer>
struct OpenedPeer {
  const Peer* peer = nullptr;
  std::string why_not;
};

template <class Peer>
OpenedPeer<Peer> open_peer(const PeerModule& module) {
  if (module.why_not != nullptr) {
    return {nullptr, module.why_not};
  }
  const std::string name = module.name;
  // $ORIGIN is the folder of this program.
  void* const opened = dlopen(("$ORIGIN/peers/" + name + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const symbol =
      opened == nullptr ? nullptr : dlsym(opened, ("isofold_bench_peer_" + name).c_str());
  if (symbol == nullptr) {
    return {nullptr, dlerror()};
  }
  const Peer* (*function)() = nullptr;
  std::memcpy(&function, &symbol, sizeof function);
  return {function(), ""};
}

}  // namespace bench

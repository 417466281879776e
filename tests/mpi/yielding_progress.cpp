// MPICH 4 asks UCX for progress without end: with more ranks than cores each burns its time slice
// before the others come to run. This stands before UCX's function of that name, and gives the core
// away when nothing has happened. Programs by other MPIs never call it.
#include <dlfcn.h>
#include <sched.h>

extern "C" [[gnu::visibility("default")]] unsigned ucp_worker_progress(void* worker) {
  static auto* const progress =
      reinterpret_cast<unsigned (*)(void*)>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
  const unsigned events = progress(worker);
  if (events == 0) {
    sched_yield();
  }
  return events;
}

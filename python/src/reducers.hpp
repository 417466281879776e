// The reducers of a thread, one for host memory and one for each device, and errors as Python's
// exceptions.
#pragma once

#include <isofold/isofold.h>

#include "array.hpp"

namespace isofold_python {

// The calling thread's reducer for host memory: by openmp where it is available, or by
// ISOFOLD_BACKEND.
isofold_reducer* host_reducer();

// The calling thread's reducer for the array's device, set to its library's stream; host_reducer()
// for host memory.
isofold_reducer* reducer_for(const Array& x);

// Waits for what the calling thread has started on devices.
void synchronize();

// The exception of Python that belongs to a code.
PyObject* exception_of(std::int32_t code);

// Does nothing for ISOFOLD_ok; else raises the exception that belongs to the code, with the
// library's last sentence.
void check(std::int32_t code);

}  // namespace isofold_python

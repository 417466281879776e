// Structs of callers that were built against older or newer headers. Each starts with its size: a
// smaller one is filled up with zeros, a larger one is taken if all that is beyond this library's
// struct is zero.
#pragma once

#include <backend/interface.hpp>

namespace isofold {

// These give a caller's struct this library's size, and judge nothing but its size. The caller's is
// read through its address, for it may be shorter than its type.
std::int32_t take_options(const isofold_options* given, isofold_options* whole,
                          backend_interface::Report& report) noexcept;

// A request and, if its shape has one, its layout: the caller's own, or copies if one of the two
// has another size than this library's.
struct WholeRequest {
  const isofold_request* request;
  isofold_request copy;
  isofold_layout layout;
};
std::int32_t take_request(const isofold_request* given, WholeRequest* whole,
                          backend_interface::Report& report) noexcept;

// The `count` requests of one fused call, which lie one after the other by the size of the first;
// those with its layout share `layout`.
std::int32_t take_requests(const isofold_request* given, std::int32_t count,
                           isofold_request* requests, isofold_layout* layout,
                           backend_interface::Report& report) noexcept;

}  // namespace isofold

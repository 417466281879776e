// The table of memory that device code may touch: what lies outside is a fault, as behind guard
// pages.
#pragma once

#include <map>
#include <mutex>

#include <simulator/amd/types.hpp>

namespace isofold::amd {

class Allocations {
 public:
  enum class Rights : u8 { read, write };
  struct Range {
    u64 begin = 0;
    u64 end = 0;
    Rights rights = Rights::read;
    bool holds(u64 from, u64 to) const { return begin <= from && to <= end; }
  };

  void add(const void* memory, std::size_t bytes, Rights rights);
  void remove(const void* memory);
  // The range that `address` lies in; an empty one if there is none.
  Range find(u64 address) const;
  // A sentence about where an address lies that is in no range.
  std::string near(u64 address) const;

 private:
  std::map<u64, Range> ranges_;
};

}  // namespace isofold::amd

// Copies of a stretch of memory to shared memory by lines of 16 bytes, and the place of the
// elements there, for the kernels of segments and transposed boxes.
#pragma once

#include <cstdint>

#include <isofold/detail/gpu/platform.hpp>

namespace isofold::gpu {

// Stores words in shared memory, aligned to all of them, where they are read as another type. (This
// is no memcpy: clang 15 cut some of them into bytes.)
template <int count>
ISOFOLD_DEVICE void store_words(char* to, const Pack<std::uint32_t, count>& words) {
  using Word __attribute__((may_alias)) = std::uint32_t;
  auto* const word = static_cast<Word*>(__builtin_assume_aligned(to, sizeof words));
#pragma unroll
  for (int i = 0; i < count; ++i) {
    word[i] = words.value[i];
  }
}

// Begins to copy `part` bytes to shared memory; a device without asynchronous copies does it at
// once.
template <int part, class Group>
ISOFOLD_DEVICE void copy_words(const Group& group, char* to, const char* from) {
  if constexpr (has_copies_to_shared<Group>) {
    group.template copy_to_shared<part>(to, from);
  } else {
    store_words(to, group.template load<std::uint32_t, part / 4>(
                        reinterpret_cast<const std::uint32_t*>(from)));
  }
}

inline constexpr int line_bytes = 16;

// Begins to copy lines of 16 bytes. Collective: every lane of the warp must call.
template <class Group>
ISOFOLD_DEVICE void copy_lines(const Group& group, char* to, const char* from, int lines) {
  constexpr int at_once = 4;
  constexpr int apart = Group::wave_width * line_bytes;
  const int thread = group.thread() % Group::wave_width;
  from += thread * line_bytes;
  to += thread * line_bytes;
  int n = thread;
  if constexpr (has_copies_to_shared<Group>) {
    constexpr int step = at_once * Group::wave_width;
#pragma unroll 1
    for (int before = 0; before + step <= lines; before += step) {  // without a test for each
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        copy_words<line_bytes>(group, to + j * apart, from + j * apart);
      }
      from += at_once * apart;
      to += at_once * apart;
      n += step;
    }
  }
#pragma unroll 1
  for (; n < lines; n += at_once * Group::wave_width) {
    if constexpr (has_copies_to_shared<Group>) {
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        if (n + j * Group::wave_width < lines) {
          copy_words<line_bytes>(group, to + j * apart, from + j * apart);
        }
      }
    } else {  // all loads before the first store, none behind a test
      Pack<std::uint32_t, 4> words[at_once];
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        const int there = n + j * Group::wave_width < lines ? j * apart : 0;
        words[j] = group.template load<std::uint32_t, 4>(
            reinterpret_cast<const std::uint32_t*>(from + there));
      }
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        if (n + j * Group::wave_width < lines) {
          store_words(to + j * apart, words[j]);
        }
      }
    }
    from += at_once * apart;
    to += at_once * apart;
  }
}

// Copies `bytes` bytes and no other, whole words of 4, both addresses equal modulo 16. Collective:
// every lane of the warp must call.
template <class Group>
ISOFOLD_DEVICE void copy_stretch(const Group& group, char* to, const char* from, int bytes) {
  constexpr int part = 4;
  const int thread = group.thread() % Group::wave_width;
  const int before =
      -static_cast<int>(reinterpret_cast<std::uintptr_t>(from) % line_bytes) & (line_bytes - 1);
  const int head = before < bytes ? before : bytes;
  const int lines = (bytes - head) / line_bytes;
  const int tail = head + lines * line_bytes;
  // Threads 0 to 3 have the parts before the first whole line, 4 to 7 those after the last.
  const int edge = thread < 4 ? thread * part : tail + (thread - 4) * part;
  if (thread < 8 && edge < (thread < 4 ? head : bytes)) {
    copy_words<part>(group, to + edge, from + edge);
  }
  copy_lines(group, to + head, from + head, lines);
}

// The number of lines that hold so many bytes, the first of which is byte `before` of its line.
ISOFOLD_DEVICE inline int lines_of(int before, int bytes) {
  return (before + bytes + line_bytes - 1) / line_bytes;
}

// Elements lie in shared memory as far behind a multiple of 128 bytes as they do in memory, because
// bulk copies are faster so (docs/decisions/021).
inline constexpr int cache_line_bytes = 128;
ISOFOLD_DEVICE inline int shift_of(const char* from) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(from) % cache_line_bytes);
}
ISOFOLD_HOST_DEVICE constexpr int whole_cache_lines(int bytes) {
  return (bytes + cache_line_bytes - 1) / cache_line_bytes * cache_line_bytes;
}

}  // namespace isofold::gpu

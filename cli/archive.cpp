// The directory of a .zip file, with the extensions for more than 4 GiB (zip64), as PKWARE's
// APPNOTE.TXT describes it.
#include "archive.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "failure.hpp"
#include "nearest.hpp"
#include "pieces.hpp"
#include "types.hpp"

namespace cli {
namespace {

constexpr std::string_view local_header = "PK\x03\x04";
constexpr std::string_view directory_entry = "PK\x01\x02";
constexpr std::string_view end_of_directory = "PK\x05\x06";
constexpr std::string_view end_of_directory64 = "PK\x06\x06";
constexpr std::string_view locator64 = "PK\x06\x07";
constexpr std::uint64_t none32 = 0xffffffff;  // in a field of 32 bits: the number stands in zip64's
constexpr std::uint16_t extra64 = 1;

// Bytes of the archive, whose offsets are checked.
class Part {
 public:
  Part(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  std::uint64_t size() const noexcept { return bytes_.size(); }
  std::string_view text(std::uint64_t offset, std::uint64_t bytes) const {
    if (offset > size() || bytes > size() - offset) {
      broken("it ends within a record");
    }
    return bytes_.substr(offset, bytes);
  }
  // The little-endian number at an offset.
  std::uint64_t number(std::uint64_t offset, std::uint64_t bytes) const {
    const std::string_view digits = text(offset, bytes);
    std::uint64_t value = 0;
    std::for_each(digits.rbegin(), digits.rend(),
                  [&](char digit) { value = value << 8 | static_cast<unsigned char>(digit); });
    return value;
  }
  Part part(std::uint64_t offset, std::uint64_t bytes) const {
    return {text(offset, bytes), path_};
  }
  // Everything from a record on.
  Part record(std::uint64_t offset, std::string_view signature) const {
    if (text(offset, signature.size()) != signature) {
      broken("a record is not where it should be");
    }
    return part(offset, size() - offset);
  }
  [[noreturn]] void broken(const std::string& why) const {
    throw Failure(Exit::bad_input, "'" + path_ + "' is a damaged archive: " + why + ".");
  }

 private:
  std::string_view bytes_;
  const std::string& path_;
};

struct Directory {
  std::uint64_t entries;
  std::uint64_t offset;
};

// The last record, which only a comment follows, says where the directory is.
Directory directory_of(std::string_view archive, const Part& whole) {
  constexpr std::size_t end_bytes = 22;
  constexpr std::size_t longest_end = end_bytes + 65535;
  const std::size_t end = archive.rfind(end_of_directory);
  if (end == std::string_view::npos || archive.size() - end > longest_end) {
    whole.broken("its directory, which stands at its end, is not there");
  }
  constexpr std::size_t locator_bytes = 20;
  if (end >= locator_bytes && archive.substr(end - locator_bytes, locator64.size()) == locator64) {
    const Part record = whole.record(whole.number(end - locator_bytes + 8, 8), end_of_directory64);
    return {record.number(32, 8), record.number(48, 8)};
  }
  const Part record = whole.part(end, end_bytes);
  return {record.number(10, 2), record.number(16, 4)};
}

// A file, as the directory describes it.
struct Entry {
  std::string_view name;
  std::uint64_t flags;
  std::uint64_t method;
  std::uint64_t checksum;
  std::uint64_t stored;
  std::uint64_t bytes;
  std::uint64_t local;  // offset of its local header
  std::uint64_t record_bytes;
};

// Numbers that have no 32 bits stand one after the other in an extra field.
void read_extra64(const Part& extra, Entry& entry) {
  for (std::uint64_t at = 0; at + 4 <= extra.size();) {
    const std::uint64_t size = extra.number(at + 2, 2);
    if (extra.number(at, 2) == extra64) {
      const Part numbers = extra.part(at + 4, size);
      std::uint64_t next = 0;
      for (std::uint64_t* number : {&entry.bytes, &entry.stored, &entry.local}) {
        if (*number == none32) {
          *number = numbers.number(next, 8);
          next += 8;
        }
      }
      return;
    }
    at += 4 + size;
  }
}

Entry entry_at(const Part& record) {
  constexpr std::uint64_t fixed = 46;
  const std::uint64_t name_bytes = record.number(28, 2);
  const std::uint64_t extra_bytes = record.number(30, 2);
  Entry entry{
      record.text(fixed, name_bytes), record.number(8, 2),
      record.number(10, 2),           record.number(16, 4),
      record.number(20, 4),           record.number(24, 4),
      record.number(42, 4),           fixed + name_bytes + extra_bytes + record.number(32, 2)};
  read_extra64(record.part(fixed + name_bytes, extra_bytes), entry);
  return entry;
}

// The files of the archive; folders are entries, too.
std::vector<Entry> entries_of(std::string_view archive, const Part& whole) {
  const Directory directory = directory_of(archive, whole);
  std::vector<Entry> entries;
  std::uint64_t at = directory.offset;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    const Entry entry = entry_at(whole.record(at, directory_entry));
    at += entry.record_bytes;
    if (entry.name.empty() || entry.name.back() != '/') {
      entries.push_back(entry);
    }
  }
  return entries;
}

bool is_control(char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }

// For sentences, too: bytes that a terminal would obey are replaced.
std::string name_without_npy(std::string_view name) {
  constexpr std::string_view ending = ".npy";
  std::string text(name.substr(0, name.size() - (ends_with(name, ending) ? ending.size() : 0)));
  std::replace_if(text.begin(), text.end(), is_control, '?');
  return text;
}

const Entry& chosen(const std::vector<Entry>& entries, const std::string& name,
                    const std::string& path) {
  std::vector<std::string> names;
  std::transform(entries.begin(), entries.end(), std::back_inserter(names),
                 [](const Entry& entry) { return name_without_npy(entry.name); });
  if (entries.empty()) {
    throw Failure(Exit::bad_input, "'" + path + "' is an archive without any file in it.");
  }
  if (name.empty()) {
    if (entries.size() == 1) {
      return entries.front();
    }
    throw Failure(Exit::bad_input, "'" + path + "' is an archive of " +
                                       std::to_string(entries.size()) + " files, " + listed(names) +
                                       "; name one, such as '" + path + ":" + names.front() + "'.");
  }
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.name == name || name_without_npy(entry.name) == name;
  });
  if (found == entries.end()) {
    throw Failure(Exit::bad_input, no_such("file in '" + path + "'", name, names) + ".");
  }
  return *found;
}

}  // namespace

bool is_archive(std::string_view start) {
  // One without any file in it begins with the record of its end.
  return start.substr(0, 4) == local_header || start.substr(0, 4) == end_of_directory;
}

Member member_of(std::string_view archive, const std::string& name, const std::string& path) {
  constexpr std::uint64_t deflated = 8;
  constexpr std::uint64_t encrypted = 1;
  const Part whole(archive, path);
  const std::vector<Entry> entries = entries_of(archive, whole);
  const Entry& entry = chosen(entries, name, path);
  const std::string found = name_without_npy(entry.name);
  const bool is_encrypted = (entry.flags & encrypted) != 0;
  if (is_encrypted || (entry.method != 0 && entry.method != deflated)) {
    throw Failure(
        Exit::bad_input,
        "'" + path + "' holds '" + found + "' " +
            (is_encrypted ? "encrypted" : "packed by method " + std::to_string(entry.method)) +
            "; isofold reads what numpy's np.savez and np.savez_compressed write.");
  }
  // The sizes in the local header may be left out; the lengths of its name and extra field may not.
  const Part local = whole.record(entry.local, local_header);
  const std::string_view stored =
      local.text(30 + local.number(26, 2) + local.number(28, 2), entry.stored);
  if (entry.method == 0 && entry.bytes != entry.stored) {
    whole.broken("'" + found + "' has two sizes");
  }
  return {found, stored, entry.method == deflated, entry.bytes,
          static_cast<std::uint32_t>(entry.checksum)};
}

}  // namespace cli

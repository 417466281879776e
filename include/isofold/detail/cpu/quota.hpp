// The CPU quota of a container, which no call of the operating system tells: control groups grant
// so many microseconds in each period.
#pragma once

#include <algorithm>
#include <exception>
#include <fstream>
#include <limits>
#include <string>

namespace isofold::detail {

// The CPUs that a group of version 2 (cpu.max) or of version 1 grants, rounded up.
inline int quota_of_group(const std::string& folder, bool version_2) {
  long long quota = -1;  // as "max" in version 2, and a file that is not there
  long long period = 0;
  if (version_2) {
    std::ifstream(folder + "/cpu.max") >> quota >> period;
  } else {
    std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  }
  constexpr int no_limit = std::numeric_limits<int>::max();
  return quota > 0 && period > 0 && quota / period < no_limit
             ? static_cast<int>((quota - 1) / period + 1)
             : no_limit;
}

// The CPUs that this process may use by the groups that it is in and those above them; INT_MAX if
// they set no limit, or cannot be read. `root` is where /proc and /sys are.
inline int cpu_quota(const std::string& root = "") noexcept {
  int least = std::numeric_limits<int>::max();
  try {
    std::ifstream groups(root + "/proc/self/cgroup");
    // number:controllers:path. Version 2 names no controllers.
    for (std::string line; std::getline(groups, line);) {
      const auto controllers = line.find(':') + 1;
      const auto end = line.find(':', controllers);
      const bool is_whole = controllers != 0 && end != std::string::npos;
      const std::string named =
          is_whole ? ',' + line.substr(controllers, end - controllers) + ',' : "";
      const bool version_2 = named == ",,";
      if (!version_2 && named.find(",cpu,") == std::string::npos) {
        continue;
      }
      // In a container the path may be the host's: groups that are not there set no limit.
      const std::string mount = root + (version_2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu");
      for (std::string path = line.substr(end + 1); !path.empty(); path.erase(path.rfind('/'))) {
        least = std::min(least, quota_of_group(mount + path, version_2));
      }
      least = std::min(least, quota_of_group(mount, version_2));
    }
  } catch (const std::exception&) {  // no memory for a path, or one that does not begin with '/'
    return least;
  }
  return least;
}

}  // namespace isofold::detail

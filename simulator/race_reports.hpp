// The number of races that ThreadSanitizer has reported so far.
#pragma once

namespace isofold::simt {
extern int race_reports;
}  // namespace isofold::simt

// The kinds of layouts by name, as lists.h has them.
#pragma once

#include <isofold/lists.h>
#include <layout/layout.hpp>

namespace isofold {

#define ISOFOLD_DECLARE_LAYOUT(name, number) const Layout& name##_layout() noexcept;
ISOFOLD_LAYOUTS(ISOFOLD_DECLARE_LAYOUT)
#undef ISOFOLD_DECLARE_LAYOUT

}  // namespace isofold

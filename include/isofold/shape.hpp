// Shapes: the views that say over which elements a reduction runs. Views own nothing and are cheap
// to copy; counts and strides are in elements. Alignment to the element is enough, and changes no
// bit. Each row of a shape has the bits of its elements packed one after the other: strides, ghost
// cells and masks change none. docs/shapes.md describes them all.
#pragma once

#include <isofold/views/address_of.hpp>
#include <isofold/views/array.hpp>
#include <isofold/views/batch.hpp>
#include <isofold/views/box.hpp>
#include <isofold/views/exact.hpp>
#include <isofold/views/gather.hpp>
#include <isofold/views/indices.hpp>
#include <isofold/views/packed_index.hpp>
#include <isofold/views/range.hpp>
#include <isofold/views/segments.hpp>
#include <isofold/views/skip_nan.hpp>
#include <isofold/views/view.hpp>

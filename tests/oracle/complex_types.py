"""The two complex element types: their components, and their data sets, which are real ones taken in pairs.

An element is a pair (real, imaginary) of Python floats that the component's type holds exactly. Python's own
complex numbers are not used: their operations are not those of docs/folds.md.
"""

from dataclasses import dataclass

from number_types import F32, F64, NUMBER_TYPES, NumberType


@dataclass(frozen=True)
class ComplexType:
    name: str
    component: NumberType


C64 = ComplexType("c64", F32)
C128 = ComplexType("c128", F64)

COMPLEX_TYPES = {t.name: t for t in (C64, C128)}

ELEMENT_TYPES = {**NUMBER_TYPES, **COMPLEX_TYPES}  # all types that folds compute in


def pairs(components):
    """Element i of the real components 2i and 2i + 1."""
    return list(zip(components[0::2], components[1::2]))


def values(generator, recipe, type_name, seed, count):
    """The data set of `count` elements: the recipe of the component's type, and of twice the count."""
    component = COMPLEX_TYPES[type_name].component
    return pairs(generator.generate(recipe, component.name, seed, 2 * count))

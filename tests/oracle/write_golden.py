"""Writes tests/golden/, the committed results of both definitions, or checks it: of tree v1 a file for each fold, and
one for what each narrow element type converts; of exact_v1 one file.

    write_golden.py                    recompute every case and write the files
    write_golden.py NAME...            of these folds and narrow types, or exact_v1, only
    write_golden.py --check [--quick]  recompute and compare; --quick takes the cases of n <= 5000 only
"""

import argparse
import sys
import time
import zlib
from itertools import groupby
from pathlib import Path

import complex_types
import exact
from complex_folds import COMPLEX_FOLDS
from complex_types import COMPLEX_TYPES, ELEMENT_TYPES
from folds import (FIRST_FOLDS, FOLD_NAMES, TWO_ARRAY_FOLDS, bits_of_value, elements_of, make_fold, result_type,
                   types_of)
import narrow_types
from narrow_types import NARROW_TYPES, computed_name
from number_types import NUMBER_TYPES
import test_data
from test_data import COUNT_DEPENDENT, Generator, recipes_of, second_seed, word
from tree import root

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
QUICK_LIMIT = 5000

HEADER = """\
# Results of tree v1 (docs/tree.md, docs/folds.md) on the data sets of docs/test_data.md.
# Written by tests/oracle/write_golden.py, which shares no code with the library.
# Lines are added, never changed: another bit would be another definition.
# definition fold type recipe seed n result_type bits (seed and n are unsigned decimals of 64 bits)
# The second array of a fold of two has the seed + 1. Results of several components: in the struct's order; a complex
# number's are real, imaginary. Complex element i is made of the real elements 2i and 2i + 1.
"""

EXACT = "exact_v1"
EXACT_HEADER = HEADER.replace("tree v1 (docs/tree.md, docs/folds.md)", "exact_v1 (docs/exact.md)")
EXACT_TYPES = ("f32", "f64", "c64", "c128", "i32", "u32")  # sums of wider integers may not fit
# Sizes by recipe: what is exact has no borders but those of blocks and tiles.
EXACT_SIZES = {"uniform": (0, 1, 2, 65, 1025, 5000), "wide": (3073,), "cancelling": (1025, 4096), "near_one": (3073,),
               "subnormals": (2, 1025), "overflow": (2, 1025), "infinity": (65,), "opposite_infinities": (65,),
               "one_nan": (65,), "negative_zeros": (65,), "mixed_zeros": (65,)}

# The borders of the definition: half waves and lanes (32, 64), rows (multiples of 64), chunks
# (multiples of 1024), one to five chunks and 64, so that the tree above them is ragged and full.
SIZES = (1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 3072, 3073,
         4096, 5000, 10000, 65535, 65536, 65537)
FEW_SIZES = (1, 2, 33, 64, 65, 1000, 1024, 1025, 3073, 10000, 65537)
LARGE_SIZES = (131071, 131073, 1000000, 1048575, 1048576, 1048577, 3000001)
# Every n up to three rows, for the two folds and the recipes whose bits depend on the order.
EVERY_SIZE = tuple(range(1, 194))
# 2 ** 64 - 1: the seed is an unsigned 64-bit number and wraps.
MORE_SEEDS = (1, 42, (1 << 63) + 5, (1 << 64) - 1)
RANDOM_SIZES = 4
# The folds behind the first four share their shape: what is new in each is its arithmetic.
SECOND_SIZES = (1, 2, 33, 64, 65, 1000, 1024, 1025, 3073)
# Narrow types: what is new in each is one conversion, and the suite compares it with the wide type at every size.
# Later types have their own lines alone, so that they change no fold's file.
OVER_EVERY_FOLD = ("i8", "u8", "i16", "u16", "f16", "bf16")
NARROW_SIZES = (100, 3073)
NARROW_RECIPES = (("sum", "subnormals"), ("argmax", "subnormals"), ("sum", "opposite_infinities"),
                  ("minmax", "infinity"), ("argmin", "one_nan"), ("minimum", "mixed_zeros"), ("product", "near_one"),
                  ("sum", "lanes"), ("sum", "all_negative"), ("maximum", "all_negative"))

# Complex types: the tree is that of all folds; what is new is the arithmetic of an element.
COMPLEX_SIZES = (1, 2, 31, 33, 63, 64, 65, 129, 1000, 1023, 1024, 1025, 2048, 3073, 10000, 65537)
# The moduli of `normal` have the geometric mean 1.06: their product stays finite up to 1100 elements of c64 and 10000
# of c128. Those of every other recipe grow or vanish within one chunk of c64.
COMPLEX_PRODUCT_SIZES = (1, 2, 31, 33, 63, 64, 65, 129, 1000, 1023, 1024, 1025, 1100, 2048, 3073, 4096, 10000)
FEW_COMPLEX_SIZES = (65, 3073)
FEW_COMPLEX_PRODUCT_SIZES = (65, 1025)

CONSTANT = {"zeros", "negative_zeros", "mixed_zeros"}
HEADLINE = {("sum", "uniform"), ("sum", "cancelling"), ("product", "near_one"),
            ("minimum", "uniform"), ("maximum", "uniform")}
ORDER_SENSITIVE = {("sum", "uniform"), ("product", "near_one")}


def random_sizes(*identity):
    """A few sizes up to 2 ** 17, even on a logarithmic scale, other ones for each kind of case."""
    seed = zlib.crc32(" ".join(identity).encode())
    sizes = []
    for i in range(RANDOM_SIZES):
        s = word(seed, i)
        power = 1 << (s % 17)
        sizes.append(power + (s >> 32) % power)
    return sizes


def sizes_of(fold, type_name, recipe):
    if recipe in CONSTANT:
        return (0,) + FEW_SIZES
    sizes = set(SIZES) | set(random_sizes(fold, type_name, recipe))
    is_float = NUMBER_TYPES[type_name].is_float
    if recipe == "uniform":
        sizes.add(0)
    if (fold, recipe) in HEADLINE and (is_float or recipe == "uniform"):
        sizes.update(LARGE_SIZES if is_float else (1048576, 3000001))
    if (fold, recipe) in ORDER_SENSITIVE and is_float:
        sizes.update(EVERY_SIZE)
    return sorted(sizes)


def first_cases():
    for fold in FIRST_FOLDS:
        for number_type in NUMBER_TYPES.values():
            for recipe in recipes_of(number_type):
                for n in sizes_of(fold, number_type.name, recipe):
                    yield fold, number_type.name, recipe, 0, n
            # Extrema do not depend on the order: fewer data sets say as much.
            for seed in MORE_SEEDS if fold in ("sum", "product") else MORE_SEEDS[-1:]:
                recipe = "near_one" if fold == "product" else "uniform"
                for n in FEW_SIZES:
                    yield fold, number_type.name, recipe, seed, n


def second_sizes_of(fold, recipe):
    if recipe == "uniform":
        return (0,) + SIZES
    return SIZES if fold == "log_sum_exp" and recipe in ("normal", "wide") else SECOND_SIZES


def second_cases():
    for fold in FOLD_NAMES:
        if fold in FIRST_FOLDS:
            continue
        for number_type in types_of(fold):
            for recipe in recipes_of(number_type):
                for n in second_sizes_of(fold, recipe):
                    yield fold, number_type.name, recipe, 0, n
            for n in SECOND_SIZES:
                yield fold, number_type.name, "uniform", MORE_SEEDS[-1], n


def narrow_cases():
    for narrow in map(NARROW_TYPES.get, OVER_EVERY_FOLD):
        for fold in FOLD_NAMES:
            # count_in_range has two elements beside its data, which are narrow ones, too.
            if NUMBER_TYPES[narrow.computed] in types_of(fold) and fold != "count_in_range":
                for n in NARROW_SIZES:
                    yield fold, narrow.name, "uniform", 0, n


def conversion_cases():
    for narrow in NARROW_TYPES.values():
        recipes = NARROW_RECIPES if narrow.name in OVER_EVERY_FOLD else (("sum", "uniform"),) + NARROW_RECIPES
        for fold, recipe in recipes:
            if has_recipe(narrow, recipe):
                yield fold, narrow.name, recipe, 0, 1025


def has_recipe(narrow, recipe):
    if narrow.is_float:
        return recipe != "all_negative"
    return recipe in test_data.ANY_TYPE


def complex_cases():
    for fold in COMPLEX_FOLDS:
        main, few, sizes = "uniform", FEW_COMPLEX_SIZES, COMPLEX_SIZES
        if fold == "product":
            main, few, sizes = "normal", FEW_COMPLEX_PRODUCT_SIZES, COMPLEX_PRODUCT_SIZES
        for complex_type in COMPLEX_TYPES.values():
            for recipe in recipes_of(complex_type.component):
                for n in (0,) + sizes if recipe == main else few:
                    yield fold, complex_type.name, recipe, 0, n
            for n in few:
                yield fold, complex_type.name, main, MORE_SEEDS[-1], n


def exact_cases():
    """(fold, type, recipe, seed, n, definition) of every line of exact_v1."""
    for type_name in EXACT_TYPES:
        for fold in exact.folds_over(type_name):
            component = COMPLEX_TYPES[type_name].component if type_name in COMPLEX_TYPES else NUMBER_TYPES[type_name]
            if type_name in exact.INTEGERS and fold == "mean":
                continue  # of no type of tree v1
            for recipe, sizes in EXACT_SIZES.items():
                if component.is_float or recipe == "uniform":
                    for n in sizes:
                        yield fold, type_name, recipe, 0, n, EXACT


def designed_cases():
    """(fold, type, recipe, seed, n) of every line, and the definition where it is not tree v1; those of a file in its
    order."""
    yield from exact_cases()
    yield from first_cases()
    yield from second_cases()
    yield from narrow_cases()
    yield from complex_cases()
    yield from conversion_cases()


def file_of(case, conversions=frozenset(conversion_cases())):
    """The name of the file that the case's line stands in."""
    if case[-1] == EXACT:
        return EXACT
    return case[1] if case in conversions else case[0]


def line_of(case, bits):
    """The line of a case whose result has the given bits, one integer a component."""
    fold, type_name, recipe, seed, n = case[:5]
    definition = EXACT if case[-1] == EXACT else "tree_v1"
    result = result_type(fold, ELEMENT_TYPES[computed_name(type_name)])
    digits = ",".join(f"0x{b:0{t.bits // 4}x}" for t, b in zip(result.components, bits, strict=True))
    return f"{definition} {fold} {type_name} {recipe} {seed} {n} {result.name} {digits}"


def case_of(line):
    definition, fold, type_name, recipe, seed, n, _, _ = line.split(" ")
    if definition not in ("tree_v1", EXACT):
        raise ValueError(f"unknown definition in: {line}")
    case = fold, type_name, recipe, int(seed), int(n)
    return (*case, EXACT) if definition == EXACT else case


def compute(cases):
    """{case: line}. Cases on the same data are taken together, the longest first, so that the others are
    prefixes of data that exist already."""
    def data_key(case):
        _, type_name, recipe, seed = case[:4]
        base = "uniform" if recipe in COUNT_DEPENDENT else recipe
        return base, type_name, seed

    lines, first, second = {}, Generator(), Generator()
    for _, group in groupby(sorted(cases, key=lambda c: (data_key(c), -c[4])), key=data_key):
        for _, same_data in groupby(group, key=lambda c: c[1:5]):
            roots = Roots(first, second)
            for case in same_data:
                lines[case] = line_of(case, roots.result(case))
    return lines


class Roots:
    """Results over one data set; what several folds share is computed once."""

    # Folds that differ in finish only.
    SAME_STATES = {"mean": "moments", "variance": "moments", "sample_variance": "moments",
                   "standard_deviation": "moments", "sample_standard_deviation": "moments",
                   "softmax_statistics": "log_sum_exp", "mean_with_bound": "sum_with_bound", "none": "any"}

    def __init__(self, first, second):
        self.first, self.second = first, second
        self.elements, self.states = {}, {}

    def elements_for(self, case):
        fold, type_name, recipe, seed, n = case[:5]
        pairs = fold in TWO_ARRAY_FOLDS
        if pairs not in self.elements:
            y = self.data(self.second, recipe, type_name, second_seed(seed), n) if pairs else None
            self.elements[pairs] = elements_of(fold, self.data(self.first, recipe, type_name, seed, n), y)
        return self.elements[pairs]

    @staticmethod
    def data(generator, recipe, type_name, seed, n):
        if type_name in NARROW_TYPES:
            return narrow_types.values(recipe, type_name, seed, n)
        if type_name in COMPLEX_TYPES:
            return complex_types.values(generator, recipe, type_name, seed, n)
        return generator.generate(recipe, type_name, seed, n)

    def result(self, case):
        name, type_name, _, _, n = case[:5]
        element_type = ELEMENT_TYPES[computed_name(type_name)]
        fold = make_fold(name, element_type)
        if n == 0:
            return bits_of_value(name, element_type, fold.empty)
        if case[-1] == EXACT:
            return self.exact_result(case)
        family = self.SAME_STATES.get(name, name)
        if family not in self.states:
            self.states[family] = root(make_fold(family, element_type), self.elements_for(case))
        return bits_of_value(name, element_type, fold.finish(self.states[family], n))


    def exact_result(self, case):
        name, type_name = case[:2]
        elements = self.elements_for(case)
        x, y = zip(*elements) if name in TWO_ARRAY_FOLDS else (elements, ())
        components = exact.evaluate(name, type_name, x, y)
        return tuple(int(exact.text_of(*component), 16) for component in components)


def write(folder, names):
    cases = [case for case in dict.fromkeys(designed_cases()) if file_of(case) in names]
    lines = compute(cases)
    for name in names:
        text = (EXACT_HEADER if name == EXACT else HEADER) + "".join(lines[case] + "\n" for case in cases if file_of(case) == name)
        (folder / f"{name}.txt").write_text(text)
    return len(cases)


def committed_text(folder=GOLDEN):
    return "".join(path.read_text() for path in sorted(folder.glob("*.txt")))


def differences(text, quick):
    """(number of cases recomputed, what is wrong with the text of golden files)."""
    committed = {}
    problems = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        case = case_of(line)
        if case in committed:
            problems.append(f"twice: {line}")
        committed[case] = line
    problems += [f"missing: {case}" for case in designed_cases() if case not in committed]
    chosen = [case for case in committed if not quick or case[4] <= QUICK_LIMIT]
    for case, line in compute(chosen).items():
        if line != committed[case]:
            problems.append(f"committed: {committed[case]}\n  computed: {line}")
    if not chosen:
        problems.append("no case was compared")
    return len(chosen), problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--quick", action="store_true", help="with --check: n <= 5000 only")
    parser.add_argument("--folder", type=Path, default=GOLDEN)
    parser.add_argument("names", nargs="*", metavar="NAME", help="write the files of these folds and types only")
    arguments = parser.parse_args()
    known = FOLD_NAMES + tuple(NARROW_TYPES) + (EXACT,)
    unknown = set(arguments.names) - set(known)
    if unknown or (arguments.check and arguments.names):
        parser.error(f"no fold or narrow type: {sorted(unknown)}" if unknown else "--check takes no names")
    start = time.monotonic()
    if not arguments.check:
        count = write(arguments.folder, arguments.names or known)
        print(f"{count} cases written in {time.monotonic() - start:.1f} s")
        return 0
    count, problems = differences(committed_text(arguments.folder), arguments.quick)
    for problem in problems[:20]:
        print(problem)
    print(f"{count} cases compared in {time.monotonic() - start:.1f} s: {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Writes isofold.f90: isofold.f90.in with a function for each fold, type and rank, which Fortran's generic names need,
and the numbers of include/isofold/lists.h.

    generate.py           writes isofold.f90 beside itself
    generate.py --check   exit code 1 if that file is not what would be written
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {"r4": "real(real32)", "r8": "real(real64)", "i4": "integer(int32)", "i8": "integer(int64)",
         "c4": "complex(real32)", "c8": "complex(real64)"}
WIDE = {**TYPES, "i4": TYPES["i8"]}                              # sums of integers have 64 bits
PART = {**TYPES, "c4": TYPES["r4"], "c8": TYPES["r8"]}           # magnitudes are real
DOUBLE = dict.fromkeys(TYPES, TYPES["r8"])
COUNT = dict.fromkeys(TYPES, TYPES["i8"])
ALL, ORDERED, REAL, FLOATING = tuple(TYPES), ("r4", "r8", "i4", "i8"), ("r4", "r8"), ("r4", "r8", "c4", "c8")
MOST_RANKS = 7

# (name, argument of its own, fold with it false, fold with it true, types, result type by type, has dim, comment)
ONE_ARRAY = [
    ("sum", None, "sum", None, ALL, WIDE, True, "The sum; of integers in 64 bits. No elements: 0."),
    ("product", None, "product", None, ALL, WIDE, False, "The product; of integers modulo 2**64. No elements: 1."),
    ("mean", None, "mean", None, ORDERED, DOUBLE, True,
     "The mean, in real64; of integers with exact=.true. alone. No elements: an error, NaN along dim."),
    ("minimum", None, "minimum", None, ORDERED, TYPES, True,
     "The smallest element; a NaN wins, -0 < +0. No elements: an error."),
    ("maximum", None, "maximum", None, ORDERED, TYPES, True,
     "The largest element; a NaN wins, -0 < +0. No elements: an error."),
    ("norm1", None, "norm1", None, FLOATING, PART, True, "The sum of the magnitudes. No elements: 0."),
    ("norm2", None, "norm2", None, FLOATING, PART, True,
     "The Euclidean norm, without overflow on the way. No elements: 0."),
    ("absolute_maximum", None, "absolute_maximum", None, FLOATING, PART, False,
     "The largest magnitude. No elements: 0."),
    ("variance", "sample", "variance", "sample_variance", REAL, DOUBLE, True,
     "The variance, in real64, by n, or with sample=.true. by n - 1. No elements: an error, NaN along dim."),
    ("standard_deviation", "sample", "standard_deviation", "sample_standard_deviation", REAL, DOUBLE, True,
     "The square root of the variance. No elements: an error, NaN along dim."),
    ("log_sum_exp", None, "log_sum_exp", None, REAL, TYPES, False, "log(sum(exp(a))). No elements: -infinity."),
    ("count_nonzero", None, "count_nonzero", None, ORDERED, COUNT, True, "The number of elements that are not 0."),
    ("count_nan", None, "count_nan", None, ORDERED, COUNT, False, "The number of NaNs."),
    ("minloc", "back", "argmin", "argmin_last", ORDERED, COUNT, True,
     "The indices, from 1, of the first smallest element (back=.true.: the last). No elements: an error, 0 along dim."),
    ("maxloc", "back", "argmax", "argmax_last", ORDERED, COUNT, True,
     "The indices, from 1, of the first largest element (back=.true.: the last). No elements: an error, 0 along dim."),
]
TWO_ARRAYS = [
    ("dot", FLOATING, TYPES, "The sum of a * b, of complex elements of conjg(a) * b. No elements: 0."),
    ("squared_distance", FLOATING, PART, "The sum of the squares abs(a - b)**2. No elements: 0."),
]


def function(name, arguments, declarations, value_type, value_shape, fold, call):
    """One function of the module. The optional arguments that all have are added here."""
    arguments = ", ".join(arguments + ["exact", "reducer", "stat", "errmsg"])
    start = "value = isofold_moments()" if "moments" in value_type else "value = 0"
    if value_shape == "(:)":  # a location, whose length the caller of gfortran 12 does not find out from rank(a)
        value_type += ", allocatable"
        start = "allocate (value(rank(a)), source=0_int64)"
    return f"""  function {name}({arguments}) result(value)
    {chr(10).join(declarations).replace(chr(10), chr(10) + "    ")}
    logical, intent(in), optional :: exact
    type(isofold_reducer), intent(in), optional :: reducer
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    {value_type} :: value{value_shape}
    {start}
    call isofold_reduce({fold}, &
      {call}, exact=exact, reducer=reducer, stat=stat, errmsg=errmsg)
  end function {name}
"""


def masks():
    """Suffix, declaration: the default kind of logical, optional, and that of C."""
    return (("", "logical, intent(in), optional :: mask(..)"), ("_b", "logical(c_bool), intent(in) :: mask(..)"))


def one_array(name, own, fold, other_fold, types, results, has_dim):
    fold = f"isofold_fold_{fold}"
    own_declaration = []
    if own:
        fold = f"merge(isofold_fold_{other_fold}, {fold}, is_true({own}))"
        own_declaration = [f"logical, intent(in), optional :: {own}"]
    is_location = name in ("minloc", "maxloc")
    for kind in types:
        for suffix, mask in masks():
            yield function(f"{name}_{kind}{suffix}", ["a", "mask"] + ([own] if own else []),
                           [f"{TYPES[kind]}, intent(in) :: a(..)", mask] + own_declaration,
                           results[kind], "(:)" if is_location else "", fold, "a, value, mask=mask")
        for rank in range(1, MOST_RANKS + 1 if has_dim else 1):
            extents = [f"merge(size(a, {d}, int64), size(a, {d + 1}, int64), dim > {d})" for d in range(1, rank)]
            shape = "( &\n      " + ", &\n      ".join(extents) + ")" if extents else ""
            yield function(f"{name}_{kind}_{rank}", ["a", "dim", "mask"] + ([own] if own else []),
                           [f"{TYPES[kind]}, intent(in) :: a({', '.join(':' * rank)})",
                            "integer, intent(in) :: dim",
                            "type(*), dimension(..), intent(in), optional :: mask"] + own_declaration,
                           results[kind], shape, fold, "a, value, dim=[dim], mask=mask")


def two_arrays(name, types, results):
    for kind in types:
        for suffix, mask in masks():
            yield function(f"{name}_{kind}{suffix}", ["a", "b", "mask"],
                           [f"{TYPES[kind]}, intent(in) :: a(..), b(..)", mask], results[kind], "",
                           f"isofold_fold_{name}", "a, value, b=b, mask=mask")


def others():
    for kind in ORDERED:
        for suffix, mask in masks():
            yield "count_in_range", function(
                f"count_in_range_{kind}{suffix}", ["a", "low", "high", "mask"],
                [f"{TYPES[kind]}, intent(in) :: a(..), low, high", mask], TYPES["i8"], "",
                "isofold_fold_count_in_range", "a, value, parameters=[low, high], mask=mask")
    for kind in REAL:
        for suffix, mask in masks():
            yield "moment_sums", function(
                f"moment_sums_{kind}{suffix}", ["a", "mask"], [f"{TYPES[kind]}, intent(in) :: a(..)", mask],
                "type(isofold_moments)", "", "isofold_fold_moments", "a, value, mask=mask")


def listed(text, macro):
    body = re.search(rf"#define {macro}\(X\)((?:.*\\\n)*.*\n)", text).group(1)
    return re.findall(r"X\((\w+), (\d+)\)", body)


def write():
    lists = (HERE.parent / "include/isofold/lists.h").read_text(encoding="utf-8")
    folds, codes = listed(lists, "ISOFOLD_FOLDS"), listed(lists, "ISOFOLD_ERROR_CODES")
    comments, bodies = {}, {}
    for name, own, fold, other, types, results, has_dim, comment in ONE_ARRAY:
        extra = f", {own}" if own else ""
        comments[name] = [f"isofold_{name}(a [, mask{extra}, ...])"
                          + (f", isofold_{name}(a, dim [, mask{extra}, ...])" if has_dim else ""), comment]
        bodies[name] = list(one_array(name, own, fold, other, types, results, has_dim))
    for name, types, results, comment in TWO_ARRAYS:
        comments[name] = [f"isofold_{name}(a, b [, mask, ...])", comment]
        bodies[name] = list(two_arrays(name, types, results))
    comments["count_in_range"] = ["isofold_count_in_range(a, low, high [, mask, ...])",
                                  "The number of elements with low <= a <= high."]
    comments["moment_sums"] = ["isofold_moment_sums(a [, mask, ...])",
                               "Count, mean and sum of squared distances in one read. No elements: an error."]
    for name, body in others():
        bodies.setdefault(name, []).append(body)
    generics = []
    for name, lines in comments.items():
        names = [re.match(r"  function (\w+)", body).group(1) for body in bodies[name]]
        procedures = [", ".join(names[i:i + 4]) for i in range(0, len(names), 4)]
        generics.append("\n".join(f"  ! {line}" for line in lines) + f"\n  interface isofold_{name}\n"
                        + "\n".join(f"    procedure {line}" for line in procedures)
                        + f"\n  end interface isofold_{name}\n")
    public = [f"isofold_{name}" for name in comments] + ["isofold_reduce", "isofold_fuse", "isofold_exact",
                                                         "isofold_forest", "isofold_reducer", "isofold_moments", "isofold_version"]
    parts = {
        "PUBLIC": "\n".join(f"  public :: {', '.join(public[i:i + 4])}" for i in range(0, len(public), 4)),
        "FOLDS": "\n".join(f"  integer, parameter, public :: isofold_fold_{name} = {number}" for name, number in folds),
        "CODES": "\n".join(f"  integer, parameter, public :: isofold_{name} = {number}" for name, number in codes),
        "GENERICS": "\n".join(generics).rstrip(),
        "FUNCTIONS": "\n".join(body for name in comments for body in bodies[name]),
    }
    text = (HERE / "isofold.f90.in").read_text(encoding="utf-8")
    for key, part in parts.items():
        text = text.replace(f"@{key}@", part)
    return text


def main():
    target = HERE / "isofold.f90"
    if "--check" in sys.argv[1:]:
        if target.read_text(encoding="utf-8") != write():
            sys.exit("fortran/isofold.f90 is not what fortran/generate.py makes: run it.")
        return
    target.write_text(write(), encoding="utf-8")


if __name__ == "__main__":
    main()

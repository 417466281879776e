#!/usr/bin/env python3
"""The polynomials of include/isofold/detail/core/exponential.hpp, derived with mpmath (docs/exponential.md).

    python3 tests/unit/exponential_coefficients.py

For each function and type: the minimax polynomial by the exchange algorithm of Remez, its lowest
coefficient rounded to the type, the others fitted again with that one fixed, and so on to the highest.
"""
from mpmath import mp, mpf

mp.prec = 300
POINTS = 1200


def rounded(x, digits):
    mantissa, exponent = mp.frexp(x)
    return mp.ldexp(mp.nint(mp.ldexp(mantissa, digits)), exponent - digits)


def longest_alternation(errors, wanted):
    """Indices of extremes of alternating sign: of each run of one sign the largest, then the least dropped."""
    extremes = []
    for i, error in enumerate(errors):
        if extremes and (error > 0) == (errors[extremes[-1]] > 0):
            if abs(error) > abs(errors[extremes[-1]]):
                extremes[-1] = i
        else:
            extremes.append(i)
    while len(extremes) > wanted:
        if len(extremes) == wanted + 1:
            extremes.pop(0 if abs(errors[extremes[0]]) < abs(errors[extremes[-1]]) else -1)
            continue
        least = min(range(len(extremes)), key=lambda j: abs(errors[extremes[j]]))
        extremes.pop(least)
        if 0 < least < len(extremes):  # its neighbours have one sign now
            left_is_less = abs(errors[extremes[least - 1]]) < abs(errors[extremes[least]])
            extremes.pop(least - 1 if left_is_less else least)
    return extremes


def minimax(function, weight, exponents, low, high):
    """Coefficients c that minimise the largest |weight(x) (function(x) - sum of c_e x^e)|."""
    middle, half = (low + high) / 2, (high - low) / 2
    xs = [middle + half * mp.cos(mp.pi * (POINTS - 1 - i) / (POINTS - 1)) for i in range(POINTS)]
    weights = [weight(x) for x in xs]
    values = [function(x) for x in xs]
    powers = [[x**e for e in exponents] for x in xs]
    unknowns = len(exponents) + 1
    chosen = [round((POINTS - 1) * (i + 0.5) / unknowns) for i in range(unknowns)]
    for _ in range(40):
        system, right = mp.matrix(unknowns, unknowns), mp.matrix(unknowns, 1)
        for row, i in enumerate(chosen):
            for column in range(unknowns - 1):
                system[row, column] = weights[i] * powers[i][column]
            system[row, unknowns - 1] = (-1)**row
            right[row] = weights[i] * values[i]
        solution = mp.lu_solve(system, right)
        coefficients = [solution[j] for j in range(unknowns - 1)]
        errors = [w * (v - sum(c * p for c, p in zip(coefficients, power)))
                  for w, v, power in zip(weights, values, powers)]
        extremes = longest_alternation(errors, unknowns)
        if len(extremes) < unknowns or extremes == chosen:
            break
        chosen = extremes
    return coefficients


def fit(function, weight, count, low, high, digits):
    fixed = []
    for first in range(count):
        def rest(x):
            return function(x) - sum(c * x**e for e, c in enumerate(fixed))
        fixed.append(rounded(minimax(rest, weight, range(first, count), low, high)[0], digits))
    xs = [low + (high - low) * i / 4000 for i in range(4001)]
    error = max(abs(weight(x) * (function(x) - sum(c * x**e for e, c in enumerate(fixed)))) for x in xs)
    return fixed, error * mp.mpf(2)**digits


def hexadecimal(x):
    mantissa, exponent = mp.frexp(abs(x))
    digits = f"{int(mp.ldexp(mantissa, 53)) - 2**52:013x}".rstrip("0")
    return f"{'-' if x < 0 else ''}0x1{'.' + digits if digits else ''}p{int(exponent) - 1:+d}"


def exp_quotient(r):
    return (mp.exp(r) - 1) / r if r != 0 else mpf(1)


def log_quotient(f):
    return (mp.log1p(f) - f) / f**2 if abs(f) > mpf(10)**-30 else mpf(-1) / 2 + f / 3


def main():
    margin = mpf(2)**-12
    half_ln2 = mp.log(2) / 2 * (1 + margin)
    low, high = mp.sqrt(mpf(1) / 2) - 1 - margin, mp.sqrt(2) - 1 + margin
    for digits, exp_count, log_count in ((24, 6, 10), (53, 11, 21)):
        ln2 = rounded(mp.log(2), digits)
        short = rounded(mp.log(2), 15 if digits == 24 else 41)
        print(f"{digits} bits: ln2", hexadecimal(ln2), hexadecimal(rounded(mp.log(2) - ln2, digits)), "short",
              hexadecimal(short), hexadecimal(rounded(mp.log(2) - short, digits)), "log2_e",
              hexadecimal(rounded(1 / mp.log(2), digits)))
        for name, function, weight, count, begin, end in (
                ("exp", exp_quotient, lambda r: abs(r) * mp.exp(-r), exp_count, -half_ln2, half_ln2),
                ("log", log_quotient, lambda f: f * f / abs(mp.log1p(f)) if f != 0 else mpf(0), log_count, low, high)):
            coefficients, error = fit(function, weight, count, begin, end, digits)
            print(f"  {name}: relative error {mp.nstr(error, 3)} * 2^-{digits}:",
                  ", ".join(hexadecimal(c) for c in coefficients), flush=True)


if __name__ == "__main__":
    main()

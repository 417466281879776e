"""Compares the library's exact words with the oracle: python3 check_exact_words.py PROGRAM [COUNT]."""

import math
import random
import subprocess
import sys

import exact

# From ECMAScript's test262, Math/sumPrecise: terms, and their sum.
PUBLISHED = [
    ([1, 2, 3], 6.0),
    ([1e308], 1e308),
    ([1e308, -1e308], 0.0),
    ([0.1], 0.1),
    ([0.1, 0.1], 0.2),
    ([0.1, -0.1], 0.0),
    ([1e308, 1e308, 0.1, 0.1, 1e30, 0.1, -1e30, -1e308, -1e308], 0.30000000000000004),
    ([1e30, 0.1, -1e30], 0.1),
    ([8.98846567431158e307, 8.988465674311579e307, -1.7976931348623157e308], 9.9792015476736e291),
    ([-5.630637621603525e255, 9.565271205476345e307, 2.9937604643020797e292], 9.565271205476347e307),
]


def numbers(random_, type_name, n):
    """Elements of one of several kinds, each of which breaks some way of summing."""
    precision, least, most = exact.FORMATS[type_name][2:]
    pick = lambda low, high: math.ldexp(random_.randrange(2 ** (precision - 1), 2**precision), random_.randint(low, high) - precision)
    sign = lambda x: random_.choice((-x, x))
    largest = math.ldexp(2**precision - 1, most - precision)
    kind = random_.randrange(10)
    if kind == 0:
        return [sign(pick(-3, 3)) for _ in range(n)]
    if kind == 1:
        return [sign(pick(least + precision, most)) for _ in range(n)]
    if kind == 2:  # pairs that cancel
        half = [sign(pick(least + precision, most)) for _ in range(n // 2)]
        both = half + [-x for x in half] + [pick(-9, 9)] * (n % 2)
        random_.shuffle(both)
        return both
    if kind == 3:  # subnormal numbers
        return [sign(math.ldexp(random_.randrange(2 ** (precision - 1)), least)) for _ in range(n)]
    if kind == 4:  # next to overflow
        return [sign(largest) if random_.random() < 0.7 else sign(math.ldexp(1, most - precision - 1)) for _ in range(n)]
    if kind == 5:  # all but one ulp below a power of two
        return [math.ldexp(2**precision - 1, random_.randint(-2, -1) - precision)] * n
    if kind == 6:  # half-way cases, which a bit far below decides
        return [1.0, math.ldexp(1, -precision), sign(math.ldexp(1, random_.randint(least, -precision - 1)))][: max(1, n)]
    if kind == 7:
        return [random_.choice((0.0, -0.0)) for _ in range(n)]
    if kind == 8:
        return [-0.0] * n
    odd = [math.inf, -math.inf, math.nan]
    return [random_.choice(odd) if random_.random() < 0.1 else sign(pick(-2, 2)) for _ in range(n)]


def half_way_root(random_):
    """Two f64 numbers whose norm is a whole number of 54 bits, half-way between two f64 numbers."""
    while True:
        p, q = random_.randrange(2**25, 2**27), random_.randrange(2**25, 2**26)
        legs = abs(p * p - q * q), 2 * p * q
        if 2**53 < p * p + q * q < 2**54 and (p + q) % 2 == 1 and legs[0] < 2**53:
            return [float(leg) for leg in legs]


def questions(count):
    for terms, wanted in PUBLISHED:
        yield "sum", "f64", 1, [float(x) for x in terms], wanted
    random_ = random.Random(20240611)
    for _ in range(20):
        x = half_way_root(random_)
        for elements in (x, x + [2.0**-500]):  # a tie, and a little more
            yield "norm2", "f64", 1, elements, exact.evaluate("norm2", "f64", elements)
    for _ in range(count):
        type_name = random_.choice(("f32", "f64"))
        fold = random_.choice(("sum", "sum", "mean", "dot", "norm2", "variance", "sample_variance"))
        x = numbers(random_, type_name, random_.choice((1, 2, 3, 7, 64, 300)))
        x = x[: len(x) // 2 * 2] if fold == "dot" else x
        if len(x) < 2:
            x, fold = x or [1.0], "sum"
        yield fold, type_name, random_.randint(1, 5), x, exact.evaluate(fold, type_name, x)


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    asked = list(questions(count))
    lines = [f"{fold} {type_name} {parts} " + " ".join(f"{exact.to_bits(type_name, x):x}" for x in elements)
             for fold, type_name, parts, elements, _ in asked]
    answers = subprocess.run([sys.argv[1]], input="\n".join(lines) + "\n", capture_output=True, text=True,
                             check=True).stdout.split()
    if len(answers) != len(asked):
        sys.exit(f"{len(asked)} questions, {len(answers)} answers")
    wrong = 0
    for (fold, type_name, parts, elements, wanted), answer in zip(asked, answers):
        result = exact.result_type(fold, type_name)
        got = exact.from_bits(result, int(answer, 16))
        same = got != got if wanted != wanted else answer == f"{exact.to_bits(result, wanted):x}"
        if fold == "sum" and type_name == "f64" and wanted * 0 == 0:
            try:
                same = same and (math.fsum(elements) == got)
            except OverflowError:
                pass  # fsum gives up where a partial sum overflows
        if not same:
            wrong += 1
            if wrong <= 5:
                print(f"{fold} {type_name}, {parts} parts: {got!r}, expected {wanted!r}: {elements[:8]}")
    print(f"{len(asked)} questions, {wrong} wrong answers")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

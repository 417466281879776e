"""Compares exact_v1 on the CPU backends with the oracle: python3 check_exact.py PROGRAM [COUNT]."""

import math
import random
import struct
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


def integers(random_, type_name, n):
    low, high = exact.INTEGERS[type_name]
    kind = random_.randrange(3)
    if kind == 0:
        return [random_.randrange(low, high) for _ in range(n)]
    if kind == 1:  # next to the ends of the result's type
        return [random_.choice((low, high - 1, high - 2)) for _ in range(n)]
    return [random_.randrange(max(low, -9), 10) for _ in range(n)]


def narrow(random_, type_name, n):
    """Numbers that the 16 bits of a type hold: any."""
    made = []
    while len(made) < n:
        bits = random_.randrange(2**16)
        value = (struct.unpack("<e", struct.pack("<H", bits)) if type_name == "f16" else
                 struct.unpack("<f", struct.pack("<I", bits << 16)))[0]
        if value * 0 == 0 or random_.random() < 0.01:
            made.append((bits, value))
    return made


def elements(random_, type_name, n):
    """Elements, as their bits and as their values."""
    if type_name in exact.INTEGERS:
        values = integers(random_, type_name, n)
        return [x % 2**64 for x in values], values
    if type_name in ("f16", "bf16"):
        pairs = narrow(random_, type_name, n)
        return [bits for bits, _ in pairs], [value for _, value in pairs]
    part = exact.part_type(type_name)
    if type_name == part:
        values = numbers(random_, part, n)
        return [exact.to_bits(part, x) for x in values], values
    values = numbers(random_, part, 2 * n)
    values = values[: len(values) // 2 * 2]
    return [exact.to_bits(part, x) for x in values], list(zip(values[::2], values[1::2]))


def question(fold, type_name, parts, x, y=((), ())):
    line = f"{fold} {type_name} {parts} {len(x[1])} " + " ".join(f"{bits:x}" for bits in (*x[0], *y[0]))
    return fold, type_name, line, x[1], exact.evaluate(fold, type_name, x[1], y[1])


def of_f64(values):
    return [exact.to_bits("f64", x) for x in values], values


def questions(count):
    for terms, wanted in PUBLISHED:
        terms = [float(x) for x in terms]
        yield (*question("sum", "f64", 1, of_f64(terms))[:4], [("f64", wanted)])
    random_ = random.Random(20240611)
    for _ in range(20):
        x = half_way_root(random_)
        for legs in (x, x + [2.0**-500]):  # a tie, and a little more
            yield question("norm2", "f64", 1, of_f64(legs))
    types = ["f32", "f64"] * 4 + ["c64", "c128", "f16", "bf16", *exact.INTEGERS]
    for _ in range(count):
        type_name = random_.choice(types)
        fold = random_.choice(exact.folds_over(type_name))
        n = random_.choice((1, 2, 3, 7, 64, 300, 300, 2500 if random_.random() < 0.05 else 20))
        x = elements(random_, type_name, n)
        n = len(x[1])
        y = elements(random_, type_name, n) if fold in exact.OF_TWO else ((), ())
        if fold in exact.OF_TWO and len(y[1]) != n:  # kinds of numbers that are fewer
            continue
        if x[1]:
            yield question(fold, type_name, random_.randint(1, 5), x, y)
    for _ in range(count):  # to be asked of math.fsum, too
        n = random_.choice((1, 2, 3, 7, 20, 64, 300))
        yield question("sum", "f64", random_.randint(1, 5), elements(random_, "f64", n))


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    asked = list(questions(count))
    answers = subprocess.run([sys.argv[1]], input="\n".join(line for _, _, line, _, _ in asked) + "\n",
                             capture_output=True, text=True, check=True).stdout.splitlines()
    if len(answers) != len(asked):
        sys.exit(f"{len(asked)} questions, {len(answers)} answers")
    wrong = 0
    summed = 0
    for (fold, type_name, _, x, wanted), answer in zip(asked, answers):
        expected = wanted if wanted == exact.OUT_OF_RANGE else " ".join(exact.text_of(*component) for component in wanted)
        same = answer == expected
        if fold == "sum" and type_name == "f64":
            try:
                total = math.fsum(x)
                summed += 1
                # (fsum of zeros is +0, whatever their signs.)
                same = same and (total == wanted[0][1] or total != total)
            except (OverflowError, ValueError):
                pass  # fsum gives up where a partial sum overflows, and on both infinities
        if not same:
            wrong += 1
            if wrong <= 5:
                print(f"{fold} {type_name} of {len(x)}: {answer}, expected {expected}: {x[:8]}")
    print(f"{len(asked)} questions, {summed} of them also asked of math.fsum, {wrong} wrong answers")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

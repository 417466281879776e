"""exp, log and log1p of docs/exponential.md, operation by operation, over lists of Python floats that the type holds.

Names are those of the document. Every line is one operation, rounded once, on a whole list.
"""

import math
import operator
from array import array
from dataclasses import dataclass

from number_types import F32, F64, fma_list, round_to_type


@dataclass(frozen=True)
class Constants:
    F: int
    B: int
    L: int
    M: float
    log2_e: float
    ln2: float
    ln2_rest: float
    ln2_short: float
    ln2_short_rest: float
    lowest: float
    highest: float
    one: int
    half: int
    a: tuple  # of exp, from a_0
    b: tuple  # of log, from b_0


def numbers(text):
    return tuple(map(float.fromhex, text.split()))


CONSTANTS = {
    F32: Constants(
        23, 127, 24, 1.5 * 2.0 ** 23, *numbers("0x1.715476p+0 0x1.62e43p-1 -0x1.05c61p-29 0x1.62e4p-1 0x1.7f7d1cp-20"),
        -104.0, 89.0, 0x3F800000, 0x3F3504F3,
        a=(1.0, 1.0, *numbers("0x1.ffffacp-2 0x1.5554d4p-3 0x1.559ca2p-5 0x1.1214ccp-7 0x1.376fc8p-10")),
        b=numbers("-0x1p-1 0x1.555544p-2 -0x1.ffffep-3 0x1.99a626p-3 -0x1.55664cp-3 0x1.2327cap-3 -0x1.fadd02p-4 "
                  "0x1.e67234p-4 -0x1.e4992p-4 0x1.1c9f18p-4")),
    F64: Constants(
        52, 1023, 54, 1.5 * 2.0 ** 52,
        *numbers("0x1.71547652b82fep+0 0x1.62e42fefa39efp-1 0x1.abc9e3b39803fp-56 0x1.62e42fefa4p-1 "
                 "-0x1.8432a1b0e2634p-43"),
        -746.0, 710.0, 0x3FF0000000000000, 0x3FE6A09E667F3BCD,
        a=(1.0, 1.0, *numbers("0x1.000000000000fp-1 0x1.5555555555587p-3 0x1.555555554ed1cp-5 0x1.11111110fff23p-7 "
                              "0x1.6c16c1898cfdcp-10 0x1.a01a02142a16fp-13 0x1.a0198cc560c52p-16 "
                              "0x1.71dcfdedf298cp-19 0x1.28b8a7e6fcb3p-22 0x1.b1078150591abp-26")),
        b=numbers("-0x1p-1 0x1.555555555558cp-2 -0x1.0000000000034p-2 0x1.999999998f6a6p-3 -0x1.555555554713ap-3 "
                  "0x1.24924929c9f6bp-3 -0x1.00000009a447dp-3 0x1.c71c6f2c6dfa6p-4 -0x1.99999398554e1p-4 "
                  "0x1.745d73e87832ep-4 -0x1.55565907cca65p-4 0x1.3b0c311defd44p-4 -0x1.2478a4ae75b08p-4 "
                  "0x1.11690330c627bp-4 -0x1.0182c52b2a422p-4 0x1.de2beaf55bc18p-5 -0x1.accd2af0e3b07p-5 "
                  "0x1.abb18851de61p-5 -0x1.06942b21102ebp-4 0x1.039af1a89c233p-4 -0x1.d83439c5386cdp-6")),
}


class Lists:
    """The operations of the document on lists of the type."""

    def __init__(self, number_type):
        self.number_type = number_type
        self.word_code = "I" if number_type.bits == 32 else "Q"
        self.mask = (1 << number_type.bits) - 1

    def rounded(self, operation, xs, ys):
        return round_to_type(self.number_type, list(map(operation, xs, self.spread(ys, xs))))

    def spread(self, value, like):
        return value if isinstance(value, list) else [value] * len(like)

    def add(self, xs, ys):
        return self.rounded(operator.add, xs, ys)

    def sub(self, xs, ys):
        return self.rounded(operator.sub, xs, ys)

    def mul(self, xs, ys):
        return self.rounded(operator.mul, xs, ys)

    def fma(self, xs, ys, zs):
        return fma_list(self.number_type, xs, self.spread(ys, xs), self.spread(zs, xs))

    def polynomial(self, coefficients, xs):
        p = self.spread(coefficients[-1], xs)
        for coefficient in coefficients[-2::-1]:
            p = self.fma(p, xs, coefficient)
        return p

    def bits(self, xs):
        words = array(self.word_code)
        words.frombytes(array(self.number_type.array_code, xs).tobytes())
        return words.tolist()

    def of_bits(self, words):
        xs = array(self.number_type.array_code)
        xs.frombytes(array(self.word_code, [w & self.mask for w in words]).tobytes())
        return xs.tolist()


def reduced(lists, values, magic):
    """(t, p) of the document: the power of two in t's last bits, and the polynomial."""
    constant = CONSTANTS[lists.number_type]
    c = [constant.lowest if x < constant.lowest else x for x in values]
    c = [constant.highest if constant.highest < x else x for x in c]
    t = lists.fma(c, constant.log2_e, magic)
    k = lists.sub(t, magic)
    n = lists.fma(k, -constant.ln2, c)
    r = lists.fma(k, -constant.ln2_rest, n)
    return t, lists.polynomial(constant.a, r)


def exp_list(number_type, values):
    lists, constant = Lists(number_type), CONSTANTS[number_type]
    t, p = reduced(lists, values, constant.M)
    words = lists.bits(t)
    halves = [w >> 1 for w in words]
    first = lists.of_bits([(h << constant.F) + constant.one for h in halves])
    second = lists.of_bits([((w - h) << constant.F) + constant.one for w, h in zip(words, halves)])
    return lists.mul(lists.mul(p, first), second)


def exp_nonpositive_list(number_type, values):
    """The shorter form for x <= 0 and NaN; the folds' results need only one of the two."""
    lists, constant = Lists(number_type), CONSTANTS[number_type]
    shift = 64 if number_type.bits == 32 else 512
    t, p = reduced(lists, values, constant.M + shift)
    s = lists.of_bits([(w << constant.F) + constant.one for w in lists.bits(t)])
    return lists.mul(lists.mul(p, s), 2.0 ** -shift)


def log_list(number_type, values):
    lists, constant = Lists(number_type), CONSTANTS[number_type]
    F, B, L = constant.F, constant.B, constant.L
    tiny = 2.0 ** (1 - B)
    y = [scaled if x < tiny else x for x, scaled in zip(values, lists.mul(values, 2.0 ** L))]
    d = [(w + (constant.one - constant.half)) & lists.mask for w in lists.bits(y)]
    m = lists.of_bits([(w & ((1 << F) - 1)) + constant.half for w in d])
    f = lists.sub(m, 1.0)
    power, = lists.bits([2.0 ** F])
    b = lists.of_bits([(w >> F) | power for w in d])
    k = lists.sub(b, [2.0 ** F + B + L if x < tiny else 2.0 ** F + B for x in values])
    u = lists.mul(k, constant.ln2_short)
    s = lists.add(u, f)
    e = lists.add(lists.sub(u, s), f)
    w = lists.fma(k, constant.ln2_short_rest, e)
    q = lists.polynomial(constant.b, f)
    v = lists.add(s, lists.fma(lists.mul(f, f), q, w))
    v = [a if x < math.inf else x for x, a in zip(values, v)]
    v = [-math.inf if x == 0.0 else a for x, a in zip(values, v)]
    return [math.nan if x < 0.0 else a for x, a in zip(values, v)]


def log1p(number_type, value):
    """Of one number that is not negative."""
    lists, constant = Lists(number_type), CONSTANTS[number_type]
    root, = lists.of_bits([constant.half])
    if not value < 2.0 * root - 1.0:
        return log_list(number_type, lists.add([1.0], [value]))[0]
    q = lists.polynomial(constant.b, [value])
    return lists.fma(lists.mul([value], [value]), q, [value])[0]

"""The folds over complex elements. An element is a pair (real, imaginary), an element of two arrays a pair of
those. All arithmetic is that of the component's type, every operation of the document rounded once.
"""

import math
import operator

from number_types import fma_list, round_to_type, to_bits
from order_free_folds import OrderFreeFold, maximum
from rounded_folds import FloatFold, ListFold, ProductFold, SumFold, fraction_and_exponent
from two_stage_folds import norm2_of

COMPLEX_RESULTS = ("sum", "product", "dot")
REAL_RESULTS = ("absolute_maximum", "norm1", "norm2", "squared_distance")
COMPLEX_FOLDS = COMPLEX_RESULTS + REAL_RESULTS


def parts(elements):
    """The real and the imaginary components, as two lists."""
    return [z[0] for z in elements], [z[1] for z in elements]


# --- the modulus ---------------------------------------------------------------------------------------------

def modulus_exponent(number_type, z):
    """k of the document, from the exponent field of the larger component; a NaN's field is an infinity's."""
    sign = 1 << (number_type.bits - 1)
    m = max(to_bits(number_type, x) & (sign - 1) for x in z)
    bias = {32: 127, 64: 1023}[number_type.bits]
    return max(1 - bias, min(bias - 1, (m >> (number_type.precision - 1)) - bias))


def square_root(x):
    """In double. Rounded to f32 afterwards, the root of an f32 number is correctly rounded: a double carries
    2 * 24 + 2 bits (Figueroa, as in number_types.py), and no root of an f32 number is below the normal range."""
    return math.sqrt(x) if x == x else x


def squared_moduli(number_type, re, im):
    return fma_list(number_type, im, im, round_to_type(number_type, [x * x for x in re]))


def moduli(number_type, elements):
    """|z| of each element: scaled by a power of two, so that no square overflows and none that counts vanishes."""
    rounded = lambda values: round_to_type(number_type, list(values))
    exponents = [modulus_exponent(number_type, z) for z in elements]
    re, im = (rounded(x * math.ldexp(1.0, -k) for x, k in zip(part, exponents)) for part in parts(elements))
    roots = rounded(map(square_root, squared_moduli(number_type, re, im)))
    return rounded(r * math.ldexp(1.0, k) for r, k in zip(roots, exponents))


class ModulusFold(FloatFold):
    """One operation on the moduli."""

    def lift_row(self, elements, first_index):
        return list(map(abs, moduli(self.number_type, elements)))


# --- complex states ------------------------------------------------------------------------------------------

class ComplexSumFold(ListFold):
    def __init__(self, number_type):
        super().__init__(number_type, (0.0, 0.0))

    def lift_row(self, elements, first_index):
        return list(elements)

    def combine_pairs(self, lefts, rights):
        return list(zip(*(self.rounded(map(operator.add, a, b)) for a, b in zip(parts(lefts), parts(rights)))))


def product_of(a, b):
    """The product of two numbers that are a fraction and an exponent, before it is rounded."""
    return a[0] * b[0], a[1] + b[1]


def aligned(a, b):
    """Two numbers as multiples of one power of two, and its exponent: that of the larger one. What is too small beside
    it to change a sum vanishes; zeros, infinities and NaNs stay what they are."""
    exponents = [e for x, e in (a, b) if x != 0 and x - x == 0]
    if not exponents or any(x - x != 0 for x, _ in (a, b)):
        return a[0], b[0], 0
    top = max(exponents)
    lowered = [x * 2.0 ** max(e - top, -900) if x != 0 else x for x, e in (a, b)]
    return lowered[0], lowered[1], top


class ComplexProductFold(ListFold):
    """Four products and two sums, all rounded to the type, whose exponents are kept apart, one for each part: no partial
    product leaves the range. There is no recovery of infinities as in Annex G of C."""

    def __init__(self, number_type):
        super().__init__(number_type, (1.0, 0.0))

    def lift_row(self, elements, first_index):
        return [tuple(map(fraction_and_exponent, z)) for z in elements]

    def combine_pairs(self, lefts, rights):
        def times(i, j):
            products = [product_of(a[i], b[j]) for a, b in zip(lefts, rights)]
            return list(zip(self.rounded(x for x, _ in products), (e for _, e in products)))

        def added(xs, ys):
            terms = [aligned(x, y) for x, y in zip(xs, ys)]
            sums = self.rounded(x + y for x, y, _ in terms)
            return [fraction_and_exponent(s, top) for s, (_, _, top) in zip(sums, terms)]

        negative = [(-x, e) for x, e in times(1, 1)]
        return list(zip(added(times(0, 0), negative), added(times(0, 1), times(1, 0))))

    def finish_state(self, state, count):
        product = ProductFold(self.number_type)
        return tuple(product.finish_state(part, count) for part in state)


class ConjugateDotFold(ComplexSumFold):
    """The sum of conj(x) * y. The products with the real component of x come first, then the others by an fma."""

    def lift_row(self, elements, first_index):
        (x_re, _), (y_re, y_im) = map(parts, parts(elements))
        times = lambda ys: self.rounded(map(operator.mul, x_re, ys))
        return self.with_imaginary(elements, times(y_re), times(y_im))

    def accumulate_row(self, states, elements, first_index):
        (x_re, _), (y_re, y_im) = map(parts, parts(elements))
        s_re, s_im = parts(states)
        return self.with_imaginary(elements, fma_list(self.number_type, x_re, y_re, s_re),
                                   fma_list(self.number_type, x_re, y_im, s_im))

    def with_imaginary(self, elements, re, im):
        """re and im, and what the imaginary component of x adds to them."""
        (_, x_im), (y_re, y_im) = map(parts, parts(elements))
        return list(zip(fma_list(self.number_type, x_im, y_im, re),
                        fma_list(self.number_type, [-x for x in x_im], y_re, im)))


# --- sums of squares -----------------------------------------------------------------------------------------

class SquaredModuliFold(SumFold):
    """The sum of the squared moduli of what `bases` makes of a row of elements: two lists of components."""

    def lift_row(self, elements, first_index):
        return squared_moduli(self.number_type, *self.bases(elements))

    def accumulate_row(self, states, elements, first_index):
        re, im = self.bases(elements)
        return fma_list(self.number_type, im, im, fma_list(self.number_type, re, re, states))


class ComplexDistanceFold(SquaredModuliFold):
    def bases(self, elements):
        x, y = parts(elements)
        return [self.rounded(map(operator.sub, a, b)) for a, b in zip(parts(x), parts(y))]


class ScaledModuliFold(SquaredModuliFold):
    def __init__(self, number_type, scale):
        super().__init__(number_type)
        self.scale = scale

    def bases(self, elements):
        return [self.rounded(x * self.scale for x in part) for part in parts(elements)]


def largest_component_fold():
    return OrderFreeFold(maximum, 0.0, lift=lambda z: maximum(abs(z[0]), abs(z[1])))


def make_complex_fold(name, complex_type):
    """None where the name is not one of this file."""
    t = complex_type.component
    simple = {
        "sum": lambda: ComplexSumFold(t),
        "product": lambda: ComplexProductFold(t),
        "dot": lambda: ConjugateDotFold(t),
        "squared_distance": lambda: ComplexDistanceFold(t),
        "norm1": lambda: ModulusFold(t, operator.add, 0.0),
        "absolute_maximum": lambda: ModulusFold(t, maximum, 0.0),
        "norm2": lambda: norm2_of(t, largest_component_fold(), ScaledModuliFold),
    }
    return simple[name]() if name in simple else None

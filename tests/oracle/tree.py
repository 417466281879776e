"""Tree v1, evaluated as docs/tree.md defines it, for any fold.

A fold is an object of class Fold below: four functions and the empty value. Its states may be anything,
for instance the expression itself, which is how the tests look at the tree's shape.
"""

LANES = 64
ROWS = 16
CHUNK = LANES * ROWS


class Fold:
    """A fold given by its functions. Subclasses may do a whole list at once where that is faster."""

    def __init__(self, lift, combine, finish=lambda state, count: state, accumulate=None, empty=None):
        self.lift = lift
        self.combine = combine
        self.finish = finish
        self.accumulate = accumulate or (lambda state, x, index: combine(state, lift(x, index)))
        self.empty = empty

    def lift_row(self, elements, first_index):
        return [self.lift(x, first_index + l) for l, x in enumerate(elements)]

    def accumulate_row(self, states, elements, first_index):
        return [self.accumulate(s, x, first_index + l) for l, (s, x) in enumerate(zip(states, elements))]

    def combine_pairs(self, lefts, rights):
        return [self.combine(a, b) for a, b in zip(lefts, rights)]


    def chunk_state(self, chunk, first_index):
        return halve(self, lane_states(self, chunk, first_index))


class TwoStageFold(Fold):
    """A fold whose elements are lifted with a value of their whole chunk: steps 2 and 3 run twice.

    first is a Fold, whose state of the chunk gives a = finish_first(state, count); second(a) is the Fold of
    the second stage; the chunk's state is make(count, a, state of the second stage). combine and finish are
    those of step 4."""

    def __init__(self, first, finish_first, second, make, combine, finish, empty):
        super().__init__(None, combine, finish, empty=empty)
        self.first, self.finish_first, self.second, self.make = first, finish_first, second, make

    def chunk_state(self, chunk, first_index):
        a = self.finish_first(self.first.chunk_state(chunk, first_index), len(chunk))
        return self.make(len(chunk), a, self.second(a).chunk_state(chunk, first_index))


def lane_states(fold, chunk, first_index):
    """Step 2: lane l lifts element l and accumulates l + 64, l + 128, ... The occupied lanes are a prefix."""
    lanes = fold.lift_row(chunk[:LANES], first_index)
    for start in range(LANES, len(chunk), LANES):
        row = chunk[start:start + LANES]
        lanes[:len(row)] = fold.accumulate_row(lanes[:len(row)], row, first_index + start)
    return lanes


def halve(fold, lanes):
    """Step 3: lane l becomes combine(lane l, lane l + h). A lane without a partner stays as it is."""
    h = LANES // 2
    while h >= 1:
        partners = lanes[h:]
        lanes = fold.combine_pairs(lanes[:len(partners)], partners) + lanes[len(partners):h]
        h //= 2
    return lanes[0]


def join(fold, nodes):
    """Step 4: from the chunk states to the root. A node without a right sibling passes on unchanged."""
    while len(nodes) > 1:
        lefts, rights = nodes[0::2], nodes[1::2]
        nodes = fold.combine_pairs(lefts, rights) + lefts[len(rights):]
    return nodes[0]


def root(fold, elements):
    """The state of the root over the elements, of which there is at least one."""
    chunks = [fold.chunk_state(elements[first:first + CHUNK], first) for first in range(0, len(elements), CHUNK)]
    return join(fold, chunks)


def evaluate(fold, elements):
    """The result of the fold over the elements."""
    if len(elements) == 0:
        return fold.empty
    return fold.finish(root(fold, elements), len(elements))

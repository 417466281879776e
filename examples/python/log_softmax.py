"""A log-softmax whose rows have the same bits in every batch: alone, in a batch of 64, and transposed in memory."""

import numpy as np

import isofold


def log_softmax(logits):
    return logits - isofold.logsumexp(logits, axis=-1, keepdims=True)


logits = np.random.default_rng(0).standard_normal((64, 1000)).astype(np.float32)
batch = log_softmax(logits)
for row in (0, 13, 63):
    assert np.array_equal(log_softmax(logits[row : row + 1])[0], batch[row])
assert np.array_equal(log_softmax(np.asfortranarray(logits)), batch)
print(f"64 rows have the bits that they have alone; the first begins with {batch[0, 0]:.9g}")

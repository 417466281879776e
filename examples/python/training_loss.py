"""Training with the same loss for any number of threads and on a GPU: a linear model, whose sums are isofold's.

python examples/python/training_loss.py; OMP_NUM_THREADS=1 python examples/python/training_loss.py"""

import torch

import isofold.torch as folds

generator = torch.Generator().manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
inputs = torch.randn(512, 32, generator=generator, dtype=torch.float64).to(device)
targets = (inputs.cpu() * torch.linspace(-1, 1, 32, dtype=torch.float64)).sum(1).to(device)
weights = torch.zeros(32, dtype=torch.float64, device=device, requires_grad=True)

for step in range(20):
    predicted = folds.sum(inputs * weights, axis=1)
    loss = folds.mean((predicted - targets) ** 2)
    # The gradient of the weights is a sum over the batch, which torch's backward pass would make in an order of its
    # own: here it is written down, so that isofold makes it.
    with torch.no_grad():
        error = 2 * (predicted - targets) / len(inputs)
        weights -= 0.1 * folds.sum(inputs * error[:, None], axis=0)
print(f"loss {loss.item():.17g} on {device}")

"""isofold.torch: gradients, registration, torch.compile."""

import pytest

torch = pytest.importorskip("torch")
folds = pytest.importorskip("isofold.torch")

import isofold  # noqa: E402

torch.manual_seed(5)
X = torch.randn(4, 5, dtype=torch.float64)

FUNCTIONS = {
    "sum": folds.sum,
    "mean": folds.mean,
    "var": lambda x, axis: folds.var(x, axis, correction=1, keepdims=True),
    "logsumexp": folds.logsumexp,
    "norm": folds.norm,
}


@pytest.mark.parametrize("axis", [None, 0, (-1,)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients(name, axis):
    x = X.clone().requires_grad_()
    assert torch.autograd.gradcheck(lambda x: FUNCTIONS[name](x, axis), (x,))
    assert torch.autograd.gradgradcheck(lambda x: FUNCTIONS[name](x, axis), (x,))


def test_dot_and_edges():
    x, y = X[0].clone().requires_grad_(), X[1].clone().requires_grad_()
    assert torch.autograd.gradcheck(folds.dot, (x, y))
    zero = torch.zeros(3, requires_grad=True)
    folds.norm(zero).backward()
    assert zero.grad.tolist() == [0, 0, 0]
    with pytest.raises(TypeError, match="real floating"):
        folds.sum(torch.ones(2, dtype=torch.int64))
    assert folds.sum(X, 0, keepdims=True).shape == (1, 5)


def test_values_are_isofolds():
    assert torch.equal(folds.sum(X, 1), isofold.sum(X, 1)) and torch.equal(folds.var(X, 0), isofold.var(X, 0))
    assert folds.sum(X, definition="tree") == isofold.sum(X, definition="tree")
    with isofold.use_definition("tree"):
        assert folds.mean(X) == isofold.mean(X)
    b = X.to(torch.bfloat16).requires_grad_()
    folds.logsumexp(b, -1).sum().backward()
    assert b.grad.dtype == torch.bfloat16


def test_operators_are_registered_rightly():
    torch.library.opcheck(folds._sum, (X.clone().requires_grad_(), [0], "exact"))
    torch.library.opcheck(folds._logsumexp, (X.clone().requires_grad_(), [1]))


def test_compile():
    def loss(x):
        return folds.sum(folds.logsumexp(x * 2, -1)) + folds.mean(x)

    x = X.clone().requires_grad_()
    plain = loss(x)
    compiled = torch.compile(loss, backend="aot_eager", fullgraph=True)(x)
    assert torch.equal(plain, compiled)
    assert torch.equal(*(torch.autograd.grad(value, x)[0] for value in (plain, compiled)))


def test_gradients_of_a_batch_do_not_depend_on_the_batch():
    whole = X.clone().requires_grad_()
    folds.logsumexp(whole, -1).sum().backward()
    for i in range(4):
        one = X[i : i + 1].clone().requires_grad_()
        folds.logsumexp(one, -1).sum().backward()
        assert torch.equal(one.grad[0], whole.grad[i])

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


@pytest.fixture(params=["cpu", "cuda"])
def x(request):
    """The elements of X that require a gradient, on a device."""
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("torch has no CUDA device")
    return X.to(request.param, copy=True).requires_grad_()


@pytest.mark.parametrize("axis", [None, 0, (-1,)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients(name, axis, x):
    assert torch.autograd.gradcheck(lambda x: FUNCTIONS[name](x, axis), (x,))
    assert torch.autograd.gradgradcheck(lambda x: FUNCTIONS[name](x, axis), (x,))


def test_gradients_of_dot(x):
    assert torch.autograd.gradcheck(lambda x: folds.dot(x[0], x[1]), (x,))


def test_edges():
    zero = torch.zeros(3, requires_grad=True)
    folds.norm(zero).backward()
    assert zero.grad.tolist() == [0, 0, 0]
    with pytest.raises(TypeError, match="real floating"):
        folds.sum(torch.ones(2, dtype=torch.int64))
    assert folds.sum(X, 0, keepdims=True).shape == (1, 5)


def test_values_are_isofolds(x):
    there = x.detach()
    assert torch.equal(folds.sum(x, 1), isofold.sum(there, 1)) and torch.equal(folds.var(x, 0), isofold.var(there, 0))
    assert folds.sum(x, definition="tree") == isofold.sum(there, definition="tree")
    with isofold.use_definition("tree"):
        assert folds.mean(x) == isofold.mean(there)
    b = there.to(torch.bfloat16).requires_grad_()
    folds.logsumexp(b, -1).sum().backward()
    assert b.grad.dtype == torch.bfloat16 and b.grad.device == x.device


def test_operators_are_registered_rightly(x):
    torch.library.opcheck(folds._sum, (x, [0], "exact"))
    torch.library.opcheck(folds._logsumexp, (x, [1]))


def loss(x):
    return folds.sum(folds.logsumexp(x * 2, -1)) + folds.mean(x)


def test_compile(x):
    compiled = torch.compile(loss, backend="aot_eager", fullgraph=True)(x)
    plain = loss(x)
    assert torch.equal(plain, compiled)
    assert torch.equal(*(torch.autograd.grad(value, x)[0] for value in (plain, compiled)))


def test_compile_to_kernels():
    """Inductor's kernels around isofold's, on a GPU alone: on a CPU it would run a compiler of C++ for a minute."""
    if not torch.cuda.is_available():
        pytest.skip("torch has no CUDA device")
    x = X.cuda().requires_grad_()
    compiled = torch.compile(loss, fullgraph=True)(x)
    assert torch.equal(loss(x), compiled)
    (gradient,) = torch.autograd.grad(compiled, x)
    assert torch.allclose(gradient, torch.autograd.grad(loss(x), x)[0], rtol=1e-14)  # exp is Inductor's own there


def test_gradients_of_a_batch_do_not_depend_on_the_batch(x):
    folds.logsumexp(x, -1).sum().backward()
    for i in range(4):
        one = x.detach()[i : i + 1].clone().requires_grad_()
        folds.logsumexp(one, -1).sum().backward()
        assert torch.equal(one.grad[0], x.grad[i])

"""The peers of isofold_bench and layouts_bench: none runs another's code, each is what it says, and answers rightly."""

import collections
import functools
import itertools
import json
import math
import os
import pathlib
import platform
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

BENCH = pathlib.Path(os.environ["ISOFOLD_BENCH_PROGRAM"])
LAYOUTS = pathlib.Path(os.environ["ISOFOLD_LAYOUTS_PROGRAM"])
LIBRARY = pathlib.Path(os.environ["ISOFOLD_LIBRARY"])
CXX = os.environ["ISOFOLD_CXX"]
NM = os.environ["ISOFOLD_NM"]
OBJDUMP = os.environ["ISOFOLD_OBJDUMP"]
GPU_PEER = pathlib.Path(os.environ.get("ISOFOLD_GPU_PEER", "not built"))  # of CUB that may be another CCCL's
MAP = pathlib.Path(__file__).resolve().parents[2] / "bench" / "peers" / "peer.map"
MODULES = sorted((BENCH.parent / "peers").glob("*.so"))
FOLDS = ("sum", "minimum", "maximum", "argmin", "argmax", "minmax", "absolute_maximum", "norm1", "norm2", "dot", "mean",
         "variance", "count_nonzero", "log_sum_exp")
COUNT = 4096
FEW = 64  # of a product, which overflows


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done


def symbols(path, kind):
    """The symbols that `path` gives to other objects ("defined") or takes from them ("undefined"). A name
    with a version is its library's own: nobody else's answers to it."""
    lines = run(NM, "-D", f"--{kind}-only", path).stdout.splitlines()
    return {line.split()[-1] for line in lines if line and "@" not in line}


def shared_symbols(peers, others=()):
    """(symbol, one object, another) of two peers, or of a peer and another object of its process: the one defines the
    symbol, so that the other's calls may run the one's code."""
    paths = [*peers, *others]
    defined = {path: symbols(path, "defined") for path in paths}
    undefined = {path: symbols(path, "undefined") for path in paths}
    return [(symbol, one, other) for one, other in itertools.permutations(paths, 2) if one in peers or other in peers
            for symbol in sorted(defined[one] & (defined[other] | undefined[other]))]


def function_of(module, name):
    """The instructions of the function whose demangled name matches, the parts that the compiler set apart included."""
    text = run(OBJDUMP, "-d", "-C", "--no-show-raw-insn", BENCH.parent / "peers" / f"{module}.so").stdout
    found = [part for part in text.split("\n\n") if re.match(rf"[0-9a-f]+ <[^\n]*{name}[^\n]*>:\n", part)]
    assert found, (module, name)
    return "\n".join(found)


def elements(count):
    """Those of reduce_bench.cpp, which f32 holds exactly."""
    state, values = 1, []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        values.append((1 + (state >> 44) / 2 ** 20) * (1 if state >> 43 & 1 else -1))
    return values


def sum_in_order_f32(values):
    total = 0.0
    for value in values:
        total = struct.unpack("f", struct.pack("f", total + value))[0]
    return total


def expected(fold, x):
    """(answer, what its rounding errors are relative to)."""
    absolute = math.fsum(map(abs, x))
    squares = math.fsum(v * v for v in x)
    mean = math.fsum(x) / len(x)
    return {
        "sum": lambda: ((math.fsum(x), 0), absolute),
        "product": lambda: ((math.prod(x), 0), abs(math.prod(x))),
        "minimum": lambda: ((min(x), 0), 0),
        "maximum": lambda: ((max(x), 0), 0),
        "argmin": lambda: ((x.index(min(x)), 0), 0),
        "argmax": lambda: ((x.index(max(x)), 0), 0),
        "minmax": lambda: ((min(x), max(x)), 0),
        "absolute_maximum": lambda: ((max(map(abs, x)), 0), 0),
        "norm1": lambda: ((absolute, 0), absolute),
        "norm2": lambda: ((math.sqrt(squares), 0), math.sqrt(squares)),
        "dot": lambda: ((squares, 0), squares),
        "mean": lambda: ((mean, 0), absolute / len(x)),
        "variance": lambda: ((math.fsum((v - mean) ** 2 for v in x) / len(x), 0), squares / len(x)),
        "count_nonzero": lambda: ((len(x), 0), 0),
        "log_sum_exp": lambda: ((math.log(math.fsum(map(math.exp, x))), 0), 1),
    }[fold]()


@functools.lru_cache(maxsize=None)
def answers():
    """{peer: identity}, and the answers of all peers."""
    identities, records = {}, []
    for folds, count in ((FOLDS, COUNT), (("product",), FEW)):
        done = run(BENCH, "--answers", "--folds", ",".join(folds), "--counts", count, "--threads", "1,2")
        for record in map(json.loads, done.stdout.splitlines()):
            if "identity" in record:
                identities[record["peer"]] = record["identity"]
            else:
                records.append(record)
    return identities, records


def is_built(module):
    return any(path.stem == module for path in MODULES)


class Symbols(unittest.TestCase):
    def test_a_module_gives_one_symbol(self):
        self.assertGreaterEqual(len(MODULES), 4)
        for path in MODULES:
            self.assertEqual(symbols(path, "defined"), {f"isofold_bench_peer_{path.stem}"})

    def test_no_two_share_a_symbol(self):
        shared_library = [LIBRARY] if ".so" in LIBRARY.name else []
        self.assertEqual(shared_symbols(MODULES, [BENCH, LAYOUTS, *shared_library]), [])

    @unittest.skipUnless(GPU_PEER.exists(), "the GPU's peers are not built")
    def test_the_library_of_another_cub_gives_one_symbol(self):
        defined = symbols(GPU_PEER, "defined")
        self.assertEqual([bool(re.search("cub_gpu_to_gpu_sum", symbol)) for symbol in defined], [True], defined)

    def test_no_module_changes_the_mode_of_the_processor(self):
        # -ffast-math at the link would flush denormal numbers to zero in the whole program.
        for path in MODULES:
            self.assertNotIn("set_fast_math", run(NM, path).stdout, path)

    def test_a_planted_symbol_is_found(self):
        # One inline function, compiled with two sets of flags: the fault that this file is about.
        source = ("template <class T> T planted(const T* x, int n) { T s = 0; for (int i = 0; i < n; ++i) s += x[i];"
                  " return s; } float OWN(const float* x, int n) { return planted(x, n); }")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "planted.cpp"
            file.write_text(source, encoding="utf-8")

            def build(suffix, *flags):
                paths = [pathlib.Path(folder) / f"{name}{suffix}.so" for name in ("plain", "fast")]
                for path, own in zip(paths, ([], ["-ffast-math"])):
                    run(CXX, "-shared", "-fPIC", "-O0", f"-DOWN={path.stem}", *own, *flags, file, "-o", path)
                return paths

            found = {symbol for symbol, _, _ in shared_symbols(build("_exported"))}
            self.assertEqual([symbol for symbol in found if "planted" in symbol], ["_Z7plantedIfET_PKS0_i"])
            self.assertEqual(shared_symbols(build("_mapped", f"-Wl,--version-script={MAP}")), [])


class Identities(unittest.TestCase):
    def identity(self, module, peer):
        if not is_built(module):
            self.skipTest(f"{module} is not built")
        return answers()[0][peer]

    def test_the_loops_have_the_flags_they_say(self):
        self.assertNotIn("-ffast-math", self.identity("plain_loop", "plain loop"))
        self.assertIn("-ffast-math", self.identity("fast_math_loop", "-ffast-math loop"))

    @unittest.skipUnless(platform.machine() == "x86_64", "instructions of x86-64")
    def test_only_the_plain_loop_adds_one_by_one(self):
        sum_of_f32 = r"::Loop<\(isofold::(\w+::)*Fold\)1, float>::run\("
        plain = function_of("plain_loop", sum_of_f32)
        self.assertRegex(plain, r"\bv?addss\b")
        self.assertNotRegex(plain, r"\bv?addps\b")
        self.assertRegex(function_of("fast_math_loop", sum_of_f32), r"\bv?addps\b")
        self.assertRegex(function_of("omp_simd", sum_of_f32.replace("Loop", "Simd")), r"\bv?addps\b")
        self.assertRegex(function_of("layout_loops", r"::batch<float>\("), r"\bv?addps\b")

    def test_eigen_has_the_widest_vectors(self):
        packet, widest = re.search(r"packets of (\d+) of (\d+) bytes", self.identity("eigen", "Eigen")).groups()
        self.assertEqual(packet, widest)

    def test_the_standard_library_runs_on_tbb(self):
        self.assertIn("TBB 20", self.identity("std_reduce", "std::reduce par (TBB)"))
        imported = run(NM, "-D", "-C", "--undefined-only", BENCH.parent / "peers" / "std_reduce.so").stdout
        self.assertRegex(imported, r"tbb::detail::r1::(execute_and_)?wait")
        self.assertRegex(imported, r"tbb::detail::r1::spawn")

    def test_blas_is_openblas(self):
        for peer in ("asum", "dot"):
            identity = self.identity(f"openblas_{peer}", f"OpenBLAS {peer}")
            self.assertRegex(identity, r"^OpenBLAS \d.* from .*libopenblas[^/]*$")

    def test_kokkos_says_its_space(self):
        self.assertRegex(self.identity("kokkos", "Kokkos"), r"^Kokkos \d+\.\d+\.\d+, \w+, \d+ threads$")


class Answers(unittest.TestCase):
    def test_every_peer_answers_rightly(self):
        x = {COUNT: elements(COUNT), FEW: elements(FEW)}
        seen = collections.defaultdict(set)
        for record in answers()[1]:
            fold = record["fold"]
            seen[record["peer"]].add((fold, record["threads"]))
            if fold == "sum" and record["peer"].startswith("OpenBLAS"):
                fold = {"OpenBLAS asum": "norm1", "OpenBLAS dot": "dot"}[record["peer"]]
            answer, scale = expected(fold, x[record["count"]])
            error = max(abs(a - b) for a, b in zip(record["answer"], answer))
            unit = 2.0 ** (-24 if record["type"] == "f32" else -53)
            self.assertLessEqual(error, record["count"] * unit * scale, (record, answer))
        self.assertEqual(set(seen), set(answers()[0]))
        for peer, cases in seen.items():
            self.assertTrue({fold for fold, _ in cases} & {"sum"}, peer)

    def test_the_loops_add_in_different_orders(self):
        sums = {record["peer"]: record["answer"][0] for record in answers()[1]
                if (record["fold"], record["type"], record["threads"]) == ("sum", "f32", 1)}
        in_order = sum_in_order_f32(elements(COUNT))
        self.assertEqual(sums["plain loop"], in_order)
        self.assertNotEqual(sums["-ffast-math loop"], in_order)
        self.assertNotEqual(sums["omp simd reduction"], in_order)

    def test_a_peer_that_cannot_be_opened_is_named_with_its_reason(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy(BENCH, folder)  # without the modules beside it
            done = run(alone, "--answers", "--counts", "16")
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"Peer plain_loop is left out: .*plain_loop\.so")


if __name__ == "__main__":
    unittest.main()

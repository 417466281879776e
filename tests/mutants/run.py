"""Plants one bug after the other into a copy of the sources and asks the tests whether they see it.

The list is mutants.txt; what judges is KILLERS below: programs of the test suite, over few cases or one
backend, so that a mutant compiles in seconds. A mutant is killed when a program fails, crashes or hangs.
Before the first mutant that a program judges it must pass over the sources as they are.

Results are lines of JSON in the build folder: a run goes on where the last one ended, and repeats what
has changed since.
"""
import argparse
import collections
import dataclasses
import hashlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIST = HERE / "mutants.txt"

# ---- the list ----------------------------------------------------------------------------------------


@dataclasses.dataclass
class Mutant:
    name: str
    kind: str
    file: str
    killers: list
    old: str = ""
    new: str = ""

    def applied_to(self, text):
        """The text with the bug planted. ValueError where the place is gone, or is not one place."""
        found = text.count(self.old)
        if found != 1:
            raise ValueError(f"{self.name}: its old text occurs {found} times in {self.file}")
        return text.replace(self.old, self.new)


def parse(text):
    """The mutants of a list: a line of four fields, the old text after '---', the new one after '+++'."""
    mutants, part = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("mutant "):
            fields = [field.strip() for field in line[len("mutant "):].split("|")]
            if len(fields) != 4:
                raise ValueError(f"line {number}: a mutant has a name, a kind, a file and killers")
            mutants.append(Mutant(fields[0], fields[1], fields[2], fields[3].split()))
            part = None
        elif line in ("---", "+++") and mutants:
            part = "old" if line == "---" else "new"
        elif part is not None and line != "===":
            setattr(mutants[-1], part, getattr(mutants[-1], part) + line + "\n")
        elif line == "===":
            part = None
        elif line and not line.startswith("#"):
            raise ValueError(f"line {number} belongs to no mutant: {line}")
    for mutant in mutants:  # a text within one line has no end of line
        if mutant.old.startswith("`"):
            mutant.old = mutant.old.strip("\n").strip("`")
            mutant.new = mutant.new.strip("\n").strip("`")
    return mutants


def problems(mutants, root):
    """The faults of the list, as sentences."""
    found = []
    names = collections.Counter(mutant.name for mutant in mutants)
    found += [f"{name}: named twice" for name, count in names.items() if count > 1]
    texts = {}
    for mutant in mutants:
        found += [f"{mutant.name}: no killer {name}" for name in mutant.killers if name not in KILLERS]
        path = root / mutant.file
        if mutant.file not in texts:
            texts[mutant.file] = path.read_text() if path.is_file() else ""
        try:
            if mutant.applied_to(texts[mutant.file]) == texts[mutant.file]:
                found.append(f"{mutant.name}: changes nothing")
        except ValueError as error:
            found.append(str(error))
    return found


# ---- what judges -------------------------------------------------------------------------------------

# The kernels of one case each (tests/mutants/simt_of_one_case.cmake).
CASES = ["sum_f32:core::Sum<float>", "dot_f32:core::Dot<float>", "dot_f64:core::Dot<double>",
         "maximum_f64:core::Maximum<double>",
         "argmin_f32:core::ArgMin<float>", "argmax_last_u32:core::ArgMaxLast<std::uint32_t>",
         "sum_with_bound_f64:core::SumWithBound<double>", "moments_f64:core::AllMoments<double>",
         "log_sum_exp_f32:core::LogSumExp<float>", "product_c64:core::Product<isofold_c64>",
         "norm2_c128:core::ComplexNorm2<isofold_c128>"]
TREES = {
    # Few cases: the loops of openmp compile in seconds, the kernels of one case, too.
    "few": ["-DCMAKE_CXX_FLAGS=-O1", "-DISOFOLD_ENABLE_OPENMP=ON", "-DISOFOLD_ENABLE_CUDA=OFF",
            "-DISOFOLD_MUTANT_CASES=" + ";".join(CASES),
            "-DCMAKE_PROJECT_isofold_INCLUDE={source}/tests/mutants/few_cases.cmake"],
    # Every fold once, on the backend that compiles in seconds.
    "folds": ["-DCMAKE_CXX_FLAGS=-O0", "-DISOFOLD_ENABLE_OPENMP=OFF", "-DISOFOLD_ENABLE_CUDA=OFF",
              "-DCMAKE_PROJECT_isofold_INCLUDE={source}/tests/support/each_fold.cmake"],
    # All cases of that backend, for the front and the program.
    "all": ["-DCMAKE_CXX_FLAGS=-O0", "-DISOFOLD_ENABLE_OPENMP=OFF", "-DISOFOLD_ENABLE_CUDA=OFF"],
    # A few cases up to PTX.
    "cuda": ["-DISOFOLD_ENABLE_OPENMP=OFF", "-DISOFOLD_ENABLE_CUDA=ON", "-DCMAKE_CUDA_ARCHITECTURES=90-real",
             "-DCMAKE_PROJECT_isofold_INCLUDE={source}/tests/mutants/few_cases.cmake"],
}
COMMON = ["-DCMAKE_BUILD_TYPE=None", "-DISOFOLD_ENABLE_HIP=OFF", "-DISOFOLD_ENABLE_KOKKOS=OFF",
          "-DISOFOLD_BUILD_SHARED=OFF", "-DISOFOLD_WARNINGS_AS_ERRORS=OFF"]


@dataclasses.dataclass
class Killer:
    tree: str
    targets: list
    command: list
    environment: dict = dataclasses.field(default_factory=dict)
    timeout: int = 900  # seconds of the clock, on a machine that has other work
    seconds: int = 120  # of the processor, over all threads: more is a hang, too


def gtest(path, chosen=""):
    return [f"{{build}}/tests/{path}", "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={chosen or '*'}"]


def cells(*names):
    """The filter of these cells of the conformance suite: backend_section_case, with * allowed."""
    return ":".join(f"*/{name}" for name in names)


def suite(program, *names, level="quick", **environment):
    return Killer("few", [program.split("/")[-1]], gtest(program, cells(*names)),
                  {"ISOFOLD_TEST_LEVEL": level, **environment})


def unit(name, tree="few", chosen="", **environment):
    return Killer(tree, [f"unit_{name}"], gtest(f"unit/unit_{name}", chosen), environment)


def ranks(program, numbers, *arguments):
    return Killer("all", [f"mpi_{program}_openmpi"],
                  [sys.executable, "{source}/tests/mpi/run_ranks.py", "--mpirun", "mpirun.openmpi", "--ranks", numbers,
                   f"{{build}}/tests/mpi/mpi_{program}_openmpi", *arguments])


def command_line(part):
    return Killer("all", ["isofold_cli"], [sys.executable, "-m", "unittest", "-f", f"test_{part}"],
                  {"ISOFOLD_PROGRAM": "{build}/bin/isofold", "ISOFOLD_PLANTED": "", "PYTHONDONTWRITEBYTECODE": "1"})


def kernels(case, *sections, **environment):
    """Sections of the suite on emulated GPUs of both widths, over one case; no lists of other folds by default."""
    chosen = [f"simt??_{section}_{case}" for section in sections or "*"]
    chosen[-1] += "" if sections else "-*_fused_*"
    return Killer("few", [f"simt_{case}"], gtest(f"simt/simt_{case}", cells(*chosen)),
                  {"ISOFOLD_TEST_LEVEL": "quick", **environment})


OPENMP = "conformance/conformance_test"
KILLERS = {
    # The kernels on emulated GPUs of both widths: against the oracle's lines and the reference's bits, for
    # races, for reads and writes outside of memory; streams, captures, faults.
    "gpu_sum_f32": kernels("sum_f32"),
    **{"gpu_" + case.split(":")[0]: kernels(case.split(":")[0], "golden", "sizes", "values", "alignment", "shapes")
       for case in CASES[1:]},  # whose other sections take long
    "gpu_dot_rows": kernels("dot_f32", "rows"),
    "gpu_argmin_schedules": kernels("argmin_f32", "schedules"),
    "gpu_dot_schedules": kernels("dot_f64", "schedules"),
    "gpu_bound_rows": kernels("sum_with_bound_f64", "rows"),
    "gpu_bound_schedules": kernels("sum_with_bound_f64", "schedules"),
    "gpu_moments_rows": kernels("moments_f64", "rows"),
    "gpu_moments_schedules": kernels("moments_f64", "schedules"),
    "gpu_slow_fences": kernels("moments_f64", "sizes", "schedules", ISOFOLD_SIMT_SLOW_FENCES="1"),
    "gpu_library": Killer("few", ["simt_library"], gtest("simt/simt_library")),
    "gpu_faults": Killer("few", ["simt_faults"], gtest("simt/simt_faults", "*/simt32")),
    "gpu_door": Killer("few", ["simt_door"], gtest("simt/simt_door")),
    "gpu_places": Killer("few", ["simt_places"], gtest("simt/simt_places")),
    "gpu_lists": Killer("few", ["simt_lists"], gtest("simt/simt_lists")),
    "gpu_races": Killer("few", ["simt_races"], gtest("simt/simt_races", "*NoneInTheKernel*:RacesOfMasks.*")),
    "gpu_bounds": Killer("few", ["simt_bounds"], gtest("simt/simt_bounds", "*/Bounds.*:Rooms.*")),
    "ptx": Killer("cuda", ["isofold_cuda_ptx_75"],
                  [sys.executable, "{source}/tests/gpu/check_device_code.py", "ptx", "--kernels", "20",
                   "{build}/tests/gpu/CMakeFiles/isofold_cuda_ptx_75.dir/__/__/backends/cuda/cuda.ptx"]),
    # The lines of the oracle: of few cases on reference and on openmp, each width of vectors; of each fold.
    "golden": Killer("few", ["isofold_golden"], ["{build}/conformance/isofold_golden"]),
    "golden_folds": Killer("folds", ["isofold_golden"], ["{build}/conformance/isofold_golden"]),
    # The loops of openmp against the reference.
    "openmp": suite(OPENMP, "openmp_sizes_*", "openmp_values_*", "openmp_alignment_*", "openmp_rows_*",
                    "openmp_shapes_*", "openmp_schedules_*", "openmp_conversions_*"),
    "openmp_starved": suite(OPENMP, "openmp_sizes_*", "openmp_schedules_*", "openmp_rows_*", OMP_THREAD_LIMIT="1"),
    "openmp_huge": suite(OPENMP, "openmp_huge_sum_i32", level="exhaustive"),
    "reference": Killer("folds", ["conformance_test"],
                        gtest("conformance/conformance_test", cells("reference_exact_*", "reference_values_*")),
                        {"ISOFOLD_TEST_LEVEL": "quick"}),
    # exact_v1: on reference and openmp; header-only, on a host and on emulated GPUs.
    "exact": unit("exact", chosen="*Published*:*DataThatBreak*:*WindowsAtTheirEnds*:*RoundedOnce*:*PartialResults*:"
                                  "*ListsOfRows*:*AreOneRead*"),
    "exact_values": unit("exact_values"),
    "gpu_carry": Killer("few", ["simt_transform_test"], gtest("simt/simt_transform_test", "Carry.*")),
    "gpu_exact": Killer("few", ["simt_exact"], gtest(
        "simt/simt_exact", "*Arrays/*:*.Rows/*:*.RowsThatWait/*:*.ShortRows/simt32")),
    "halves": Killer("few", ["simt_halves"], gtest("simt/simt_halves")),
    "gpu_exact_values": Killer("few", ["simt_transform_test"], gtest("simt/simt_transform_test", "*.ExactFolds")),
    "fused": unit("fused"),
    "threads": unit("threads", chosen="-*EveryEntryPoint*:*InsideA*"),  # which ask for more folds
    "guard_page_of_openmp": Killer("few", ["unit_guard_page"], gtest("unit/unit_guard_page", "*ProductC64*")),
    "edge_values_of_openmp": Killer("few", ["unit_edge_values"],
                                    gtest("unit/unit_edge_values", "*InfiniteMaximum*:*ComplexNorms*")),
    "shapes_of_openmp": Killer("few", ["unit_shapes"], gtest("unit/unit_shapes", "Host/*SumsOf*")),
    "fold_environments": unit("fold_environments", chosen="-*AfterErrors*:*ConvertedElements*"),
    **{name: unit(name, "all") for name in ("forest", "input_contract", "shape_contract", "shapes",
                                            "edge_values", "float_environment", "guard_page")},
    **{name: unit(name, "folds") for name in ("exponential", "fma")},
    # Ranks, by Open MPI; and emulated GPUs that a pretend NCCL joins.
    "mpi_decompositions": ranks("decompositions", "1,3,4", "1"),
    "mpi_faults": ranks("faults", "2,4"),
    "nccl_team": Killer("all", ["nccl_team_test"], gtest("nccl/nccl_team_test")),
    **{f"cli_{part}": command_line(part) for part in ("bad_input", "shapes", "reduce", "folds", "writers")},
}
KILLERS["forest"].environment["ISOFOLD_TEST_CUTS"] = "5000"

# ---- a copy of the sources, and its build trees --------------------------------------------------------


class Workshop:
    def __init__(self, folder, jobs):
        self.source = folder / "source"
        self.folder = folder
        self.jobs = jobs
        self.copy_sources()

    def copy_sources(self):
        """Writes only what differs, so that little is compiled again."""
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                                stdout=subprocess.PIPE, text=True).stdout.split("\n")
        for name in filter(None, listed):
            origin, copy = ROOT / name, self.source / name
            if origin.is_file() and not (copy.is_file() and copy.read_bytes() == origin.read_bytes()):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(origin, copy)
                shutil.copymode(origin, copy)

    def build_folder(self, tree):
        return self.folder / tree

    def configuration(self, tree):
        ccache = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_CUDA_COMPILER_LAUNCHER=ccache"]
        options = [option.format(source=self.source) for option in COMMON + TREES[tree]]
        return ["cmake", "-S", str(self.source), "-B", str(self.build_folder(tree)), "-G", "Ninja", *options,
                *(ccache if shutil.which("ccache") else [])]

    def is_configured(self, tree):
        stamp = self.build_folder(tree) / "configured"
        return stamp.is_file() and stamp.read_text() == str(self.configuration(tree))

    def build(self, tree, targets):
        """None, or the end of what the compiler said."""
        build = self.build_folder(tree)
        steps = [] if self.is_configured(tree) else [self.configuration(tree)]
        steps.append(["ninja", "-C", build, f"-j{self.jobs}", *targets])
        for step in steps:
            done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", check=False)
            if done.returncode != 0:
                return done.stdout[-2000:]
        (build / "configured").write_text(str(self.configuration(tree)))
        return None

    def run(self, killer, folder=None):
        """How the program ended: '' where it passed, else in a word."""
        places = {"build": self.build_folder(killer.tree), "source": self.source}
        environment = {**os.environ, **{key: value.format(**places) for key, value in killer.environment.items()}}
        try:
            done = subprocess.run([str(part).format(**places) for part in killer.command], env=environment,
                                  cwd=folder or self.source / "tests/cli", timeout=killer.timeout, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  preexec_fn=lambda: resource.setrlimit(  # pylint: disable=subprocess-popen-preexec-fn
                                      resource.RLIMIT_CPU, (killer.seconds, killer.seconds + 5)))
        except subprocess.TimeoutExpired:
            return "hang"
        if done.returncode == 77:
            return "skipped"
        if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return "hang"
        return "" if done.returncode == 0 else "crash" if done.returncode < 0 else "failure"


# ---- the run -------------------------------------------------------------------------------------------


ANSWERS = ("killed", "survived", "passed")


class Results:
    """One line of JSON a mutant, and one a control; the last of a name counts."""

    def __init__(self, path):
        self.path = path
        self.of = {}
        if path.is_file():
            for line in path.read_text().splitlines():
                record = json.loads(line)
                self.of[record["name"]] = record

    def known(self, name, key):
        """The finding, if there is one: a build fails, and a control with it, where a run is broken off, too."""
        record = self.of.get(name)
        found = record is not None and record["key"] == key and record["status"] in ANSWERS
        return record if found else None

    def add(self, record):
        self.of[record["name"]] = record
        with self.path.open("a") as file:
            file.write(json.dumps(record) + "\n")


def is_killed(how):
    """A program that skipped its tests has seen nothing."""
    return how not in ("", "skipped")


def key_of(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def judge(workshop, results, mutant):
    """Plants the mutant and asks its killers in turn. (status, killer, how)"""
    for name in mutant.killers:
        if not check_control(workshop, results, name):
            return "no control", name, ""
    place = workshop.source / mutant.file
    original = place.read_text()
    try:
        place.write_text(mutant.applied_to(original))
        for name in mutant.killers:
            killer = KILLERS[name]
            complaint = workshop.build(killer.tree, killer.targets)
            if complaint is not None:
                return "does not build", name, complaint
            how = workshop.run(killer)
            if is_killed(how):
                return "killed", name, how
        return "survived", "", ""
    finally:
        place.write_text(original)


def check_control(workshop, results, name):
    """Whether the program passes over the sources as they are."""
    killer = KILLERS[name]
    key = key_of(name, str(killer))
    known = results.known("control " + name, key)
    if known:
        return True
    begin = time.monotonic()
    complaint = workshop.build(killer.tree, killer.targets)
    how = complaint or workshop.run(killer)
    seconds = round(time.monotonic() - begin, 1)
    status = "does not pass" if how else "passed"
    results.add({"name": "control " + name, "key": key, "status": status, "how": how, "seconds": seconds})
    print(f"{'control ' + name:42} {status:15} {seconds:32.1f} s {how}", flush=True)
    return not how


def print_table(mutants, results):
    counts = collections.defaultdict(collections.Counter)
    by_killer = collections.Counter()
    seconds = 0.0
    for mutant in mutants:
        record = results.of.get(mutant.name)
        if record is None:
            continue
        counts[mutant.kind][record["status"]] += 1
        by_killer[f"{record['killer']} ({record['how']})"] += record["status"] == "killed"
        seconds += record["seconds"]
    print(f"\n{'kind':34} {'planted':>8} {'killed':>8} {'survived':>9}")
    for kind, count in sorted(counts.items()):
        print(f"{kind:34} {sum(count.values()):8} {count['killed']:8} {count['survived']:9}")
    total = sum(counts.values(), collections.Counter())
    print(f"{'all':34} {sum(total.values()):8} {total['killed']:8} {total['survived']:9}   {seconds:.0f} s\n")
    for killer, count in by_killer.most_common():
        if count:
            print(f"{killer:34} {count:8}")
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--only", action="append", metavar="NAME", help="these mutants; again and again")
    parser.add_argument("--first", type=int, metavar="N", help="the first N of the list")
    parser.add_argument("--stride", type=int, default=1, metavar="N",
                        help="every Nth first, then those after them: a sample of the list comes early")
    parser.add_argument("--check", action="store_true", help="whether the list fits the sources, and no more")
    parser.add_argument("--again", action="store_true", help="also what has a result")
    parser.add_argument("--table", action="store_true", help="the table of the results that are there")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/mutants", metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    mutants = parse(LIST.read_text())
    wrong = problems(mutants, ROOT)
    if wrong or options.check:
        print("\n".join(wrong) or f"{len(mutants)} mutants fit the sources")
        return 1 if wrong else 0
    chosen = [mutant for mutant in mutants if not options.only or mutant.name in options.only][:options.first]
    chosen = [mutant for first in range(options.stride) for mutant in chosen[first::options.stride]]
    options.build.mkdir(parents=True, exist_ok=True)
    results = Results(options.build / "results.jsonl")
    if not options.table:
        workshop = Workshop(options.build.resolve(), options.jobs)
        for mutant in chosen:
            key = key_of((ROOT / mutant.file).read_text(), mutant.new, mutant.old, *mutant.killers)
            if not options.again and results.known(mutant.name, key):
                continue
            begin = time.monotonic()
            status, killer, how = judge(workshop, results, mutant)
            results.add({"name": mutant.name, "key": key, "kind": mutant.kind, "status": status,
                         "killer": killer, "how": how, "seconds": round(time.monotonic() - begin, 1)})
            shown = how if status == "killed" else ""
            print(f"{mutant.name:42} {status:15} {killer:16} {shown:8} {results.of[mutant.name]['seconds']:6.1f} s",
                  flush=True)
    total = print_table(chosen, results)
    return 0 if total["killed"] == sum(total.values()) else 1


if __name__ == "__main__":
    sys.exit(main())

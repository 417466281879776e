"""Runs the HIP module's machine code on the interpreter (simulator/amd): cells of the conformance suite, and inputs for
each kernel.

All must pass, and a line says how much was executed. Of --what `few`, each kernel must have been launched. `more` runs
what takes minutes in place of that: all quick sections of the folds that share kernels, random cases, other seeds. `all`
is for a module of all kernels: their golden lines, values and lists. For `control` each fault below is planted in the
text of the kernels, and a cell must fail for it.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

# The folds and types that the module of tests has kernels of (tests/support/each_fold), and others that the same kernels
# compute. Lists are asked for folds that it has not: amd_kernels_test has some.
CASES = ("sum_f32", "argmax_last_f32", "norm2_c128", "moments_f64")
EXACT_CASE = "sum_f64"  # (a cell of variance_f32 takes half a minute; its kernels have inputs of their own)
SIBLINGS = ("argmin_f32", "argmax_f32", "argmin_last_f32", "mean_f64", "variance_f64", "sample_variance_f64",
            "standard_deviation_f64", "sample_standard_deviation_f64")
OF_SIBLINGS = ("golden", "sizes", "values", "bound", "refusals")
LEFT_OUT = "*_fused_*:*_weighted_*"
# More random cases, and other orders, garbage and errors of estimates.
RANDOM_CASES, SEEDS = 300, (2, 3, 4)

# The second launch in place of slow fences, which MI300's and MI350's alone have.
OF_SLOW_FENCES, HAS_SLOW_FENCES = re.compile("CombineNodes"), re.compile("gfx9[45]")
# A kernel that needs more shared memory than the device of the look-alike has, as MI350's have.
LARGE_SHARED_BYTES, OF_LARGE_SHARED = 160 << 10, "*OfTheList/sum_f32"

# (what it is, the text of an instruction, what stands in its place, the cells that are asked)
FAULTS = [
    ("no wait for loads", r"s_waitcnt vmcnt\(\d+\)(.*)", r"s_nop 0", "sizes_sum_f32"),
    ("no wait for scalar loads and LDS", r"s_waitcnt lgkmcnt\(0\)", r"s_nop 0", "sizes_sum_f32"),
    ("one load too few is waited for", r"s_waitcnt vmcnt\(0\)", r"s_waitcnt vmcnt(1)", "sizes_sum_f32"),
    ("no barrier", r"s_barrier", r"s_nop 0", "sizes_norm2_c128"),
    ("no fence behind the last block's count", r"buffer_wbinvl1_vol", r"s_nop 0", "schedules_sum_f32"),
    ("a mask of 32 lanes", r"s_or_b64 exec, exec, s\[(\d+):\d+\]", r"s_or_b32 exec_lo, exec_lo, s\1",
     "sizes_argmax_last_f32"),
    ("lanes are not exchanged", r"ds_bpermute_b32 (v\d+), v\d+, (v\d+)", r"v_mov_b32_e32 \1, \2", "sizes_sum_f32"),
    ("an offset of four bytes more", r"(global_load_dwordx4 .*) offset:1024(.*)", r"\1 offset:1028\2",
     "golden_sum_f32"),
    ("addresses are of elements twice as far", r"v_lshlrev_b64 (v\[\d+:\d+\]), 2, (v\[\d+:\d+\])",
     r"v_lshlrev_b64 \1, 3, \2", "sizes_sum_f32"),
    ("operations are fused", r"v_add_f64 (v\[\d+:\d+\]), (v\[\d+:\d+\]), (v\[\d+:\d+\])",
     r"v_fma_f64 \1, \2, \2, \3", "sizes_moments_f64"),
    ("a division's last step is left out", r"v_div_fixup_f64 (v\[\d+:\d+\]), (v\[\d+:\d+\]).*",
     r"v_mov_b64_e32 \1, \2", "values_moments_f64"),
    ("another row of 16 lanes is read", r"ds_bpermute_b32 (v\d+), (v\d+), (v\d+)",
     r"ds_bpermute_b32 \1, \2, \3 offset:64", "sizes_sum_f32"),
    ("a store goes to scratch memory", r"global_store_(dword\S*) v\[(\d+):\d+\], (\S+), off(.*)",
     r"scratch_store_\1 v\2, \3, off\4", "sizes_sum_f32"),
    ("a saved mask is another", r"s_and_saveexec_b64 (s\[\d+:\d+\]), vcc", r"s_or_saveexec_b64 \1, vcc",
     "sizes_sum_f32"),
    ("a loop ends one round later", r"v_cmp_lt_i32_e32 vcc, (\S+), (v\d+)", r"v_cmp_le_i32_e32 vcc, \1, \2",
     "sizes_argmax_last_f32"),
    ("what an addition loses is added to it", r"v_add_f64 (v\[\d+:\d+\]), (v\[\d+:\d+\]), -(v\[\d+:\d+\])",
     r"v_add_f64 \1, \2, \3", f"exact_v1_{EXACT_CASE}"),
]
FLUSHING = ("subnormal numbers are flushed", {"ISOFOLD_AMD_PLANT_FLUSHING": "1"}, "values_sum_f32")


def run(arguments, tests, report, program=None, more=None):
    environment = dict(os.environ, LD_LIBRARY_PATH=str(arguments.runtime), ISOFOLD_TEST_LEVEL="quick",
                       ISOFOLD_AMD_OBJDUMP=arguments.objdump, ISOFOLD_AMD_REPORT=str(report),
                       ISOFOLD_AMD_ARCHITECTURE=arguments.architecture, **(more or {}))
    report.unlink(missing_ok=True)
    done = subprocess.run([program or arguments.suite, f"--gtest_filter={tests}", f"--gtest_output=json:{report}.json"],
                          env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def comparisons(report):
    with open(f"{report}.json", encoding="utf-8") as file:
        suites = json.load(file)["testsuites"]
    return sum(int(test.get("comparisons", 0)) for suite in suites for test in suite["testsuite"])


def plant_all(arguments, report):
    missed = 0
    faults = [(name, {"ISOFOLD_AMD_PLANT_PATTERN": pattern, "ISOFOLD_AMD_PLANT_TEXT": re.sub(r"\\(\d)", r"$\1", text)}, cell)
              for name, pattern, text, cell in FAULTS]
    for name, plant, cell in faults + [FLUSHING]:
        code, output = run(arguments, f"*/hip_{cell}", report, more=plant)
        planted = re.search(r"planted in [1-9]\d* places", output)
        unknown = "does not know" in output  # a fault that is no program of the machine shows nothing
        found = code != 0 and planted is not None and not unknown
        missed += not found
        reason = re.search(r"AMD interpreter: (?!a fault)\S+ (.*)", output)
        different = re.search(r"(the result|expected|differ).*", output)
        said = reason.group(1) if reason else different.group(0) if different else output[-200:]
        print(f"{'found' if found else 'MISSED'}: {name} ({planted.group(0) if planted else 'planted nowhere'}): "
              f"{said[:160]}")
    # A call that needs a kernel that is not there fails; it has no other result.
    code, output = run(arguments, "*/hip_rows_sum_f32", report, more={"ISOFOLD_AMD_WITHOUT": "ReduceByWarps"})
    said = re.search(r"the call failed: Backend hip, .*invalid device function", output)
    missed += code == 0 or said is None
    print(f"{'found' if said else 'MISSED'}: a kernel is missing: {said.group(0) if said else output[-200:]}")
    print(f"{len(faults) + 2 - missed} of {len(faults) + 2} faults found")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--suite", required=True)
    parser.add_argument("--kernels", required=True)
    parser.add_argument("--architecture", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--objdump", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--what", choices=("few", "more", "all", "control"), default="few")
    arguments = parser.parse_args()
    report = arguments.folder / f"launched_{arguments.what}_{arguments.architecture}.txt"
    if arguments.what == "control":
        return plant_all(arguments, report)

    cells = ":".join([f"*/hip_*_{case}" for case in CASES] + [f"*/hip_exact_v1_{EXACT_CASE}"])
    siblings = ":".join(f"*/hip_{section}_{case}" for section in OF_SIBLINGS for case in SIBLINGS)
    runs = [("cells", {"tests": f"{cells}:{siblings}:-{LEFT_OUT}"}),
            ("kernels", {"tests": "*", "program": arguments.kernels}),
            ("large shared memory", {"tests": OF_LARGE_SHARED, "program": arguments.kernels,
                                     "more": {"ISOFOLD_AMD_SHARED_BYTES": str(LARGE_SHARED_BYTES)}})]
    if arguments.what == "all":
        runs = [(section, {"tests": f"*/hip_{section}_*"}) for section in ("golden", "values", "fused")]
    if arguments.what == "more":
        siblings = ":".join(f"*/hip_*_{case}" for case in SIBLINGS)
        golden = ":".join(f"*/hip_{section}_{case}" for section in ("golden", "values") for case in CASES + SIBLINGS)
        runs = [("cells of folds of the same kernels", {"tests": f"{siblings}:-{LEFT_OUT}"})]
        for seed in SEEDS:
            other = {"ISOFOLD_AMD_SEED": str(seed), "ISOFOLD_AMD_DEFER": str(4 * (seed % 5)),
                     "ISOFOLD_AMD_RANDOM_CASES": str(RANDOM_CASES), "ISOFOLD_AMD_RANDOM_SEED": str(seed)}
            runs += [(f"golden lines and values, seed {seed}", {"tests": f"{golden}:-{LEFT_OUT}", "more": other}),
                     (f"kernels and random cases, seed {seed}",
                      {"tests": "*", "program": arguments.kernels, "more": other})]
    launches = collections.Counter()
    instructions = failed = all_compared = 0
    for name, what in runs:
        code, output = run(arguments, report=report, **what)
        rows = [line.split() for line in report.read_text().splitlines()] if report.exists() else []
        for row in rows:
            launches[row[2]] += int(row[0])
            instructions += int(row[1])
        passed = len(re.findall(r"^\[ +OK \]", output, flags=re.M))
        compared = comparisons(report)
        all_compared += compared
        print(f"{name}: {passed} passed, {compared} comparisons")
        if code != 0 or passed == 0 or compared == 0:
            print(output)
            failed += 1
    never = [] if arguments.what != "few" else [kernel for kernel, count in launches.items() if count == 0
             and (HAS_SLOW_FENCES.match(arguments.architecture) or not OF_SLOW_FENCES.search(kernel))]
    print(f"{arguments.architecture}: {sum(count > 0 for count in launches.values())} of {len(launches)} kernels launched "
          f"{sum(launches.values())} times, {instructions} instructions of waves, {all_compared} comparisons")
    for kernel in never:
        print(f"  never launched: {kernel}")
    return 1 if failed or never or not launches else 0


if __name__ == "__main__":
    sys.exit(main())

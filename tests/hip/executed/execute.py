"""Runs cells of the conformance suite with the HIP module's machine code on the interpreter (simulator/amd).

Without --plant all cells must pass, and a line says how much was executed and which kernels no cell launched. With
--plant each fault below is planted in the text of the kernels, and a cell must fail for it.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

# The folds and types that the module of tests has kernels of (tests/support/each_fold). Lists are asked for folds
# that it has not.
CASES = ("sum_f32", "argmax_last_f32", "norm2_c128", "moments_f64")
LEFT_OUT = "*_fused_*"

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
    ("a saved mask is another", r"s_and_saveexec_b64 (s\[\d+:\d+\]), vcc", r"s_or_saveexec_b64 \1, vcc",
     "sizes_sum_f32"),
    ("a loop ends one round later", r"v_cmp_lt_i32_e32 vcc, (\S+), (v\d+)", r"v_cmp_le_i32_e32 vcc, \1, \2",
     "sizes_argmax_last_f32"),
]


def run(arguments, cells, report, plant=None):
    environment = dict(os.environ, LD_LIBRARY_PATH=str(arguments.runtime), ISOFOLD_TEST_LEVEL="quick",
                       ISOFOLD_AMD_OBJDUMP=arguments.objdump, ISOFOLD_AMD_REPORT=str(report))
    if plant is not None:
        environment["ISOFOLD_AMD_PLANT_PATTERN"], environment["ISOFOLD_AMD_PLANT_TEXT"] = plant
    report.unlink(missing_ok=True)
    done = subprocess.run([arguments.suite, f"--gtest_filter={cells}", f"--gtest_output=json:{report}.json"],
                          env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def comparisons(report):
    with open(f"{report}.json", encoding="utf-8") as file:
        suites = json.load(file)["testsuites"]
    return sum(int(test.get("comparisons", 0)) for suite in suites for test in suite["testsuite"])


def plant_all(arguments, report):
    missed = 0
    for name, pattern, text, cell in FAULTS:
        code, output = run(arguments, f"*/hip_{cell}", report, (pattern, re.sub(r"\\(\d)", r"$\1", text)))
        planted = re.search(r"planted in (\d+) instructions", output)
        unknown = "does not know" in output  # a fault that is no program of the machine shows nothing
        found = code != 0 and planted is not None and int(planted.group(1)) > 0 and not unknown
        missed += not found
        reason = re.search(r"AMD interpreter: (?!a fault)\S+ (.*)", output)
        different = re.search(r"(the result|expected|differ).*", output)
        said = reason.group(1) if reason else different.group(0) if different else output[-200:]
        print(f"{'found' if found else 'MISSED'}: {name} ({planted.group(0) if planted else 'planted nowhere'}): "
              f"{said[:160]}")
    print(f"{len(FAULTS) - missed} of {len(FAULTS)} faults found")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--suite", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--objdump", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--plant", action="store_true")
    arguments = parser.parse_args()
    report = arguments.folder / f"launched{'_control' if arguments.plant else ''}.txt"
    if arguments.plant:
        return plant_all(arguments, report)

    cells = ":".join(f"*/hip_*_{case}" for case in CASES)
    code, output = run(arguments, f"{cells}:-{LEFT_OUT}:*_weighted_*", report)
    rows = [line.split() for line in report.read_text().splitlines()] if report.exists() else []
    launched = [row for row in rows if int(row[0]) > 0]
    print(f"{len(launched)} of {len(rows)} kernels launched {sum(int(row[0]) for row in rows)} times, "
          f"{sum(int(row[1]) for row in rows)} instructions of waves")
    for row in rows:
        if int(row[0]) == 0:
            print(f"  never launched: {row[2]}")
    passed = len(re.findall(r"^\[ +OK \]", output, flags=re.M))
    compared = comparisons(report)
    print(f"{passed} cells passed, {compared} comparisons")
    if code != 0 or passed == 0 or compared == 0 or not launched:
        print(output)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

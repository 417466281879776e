"""Device code keeps the floating-point contract: PTX files, or the machine code in a library.

    check_device_code.py ptx  [--kernels N] [--must-fail] FILE...
    check_device_code.py sass [--kernels N] [--must-fail] FILE...
    check_device_code.py skip REASON

PTX: every floating-point add, sub, mul, div, sqrt and conversion rounds explicitly (.rn: without it
ptxas may contract), nothing flushes (.ftz), there is no floating-point atomic, fma (.rn) only in
kernels of folds that say it, and every other instruction on floats is one that rounds nothing.
Code for compute capability 9.0 on waits for the work before it (griddepcontrol.wait, ACQBULK)
before its first load from global memory, and every kernel that loads does wait.
SASS: no .FTZ, no floating-point RED or ATOM; FFMA, DFMA and approximate functions, of which
divisions and square roots are made, only in kernels of folds that say fma or divide.
--kernels N: fail unless at least N kernels were seen. --must-fail: a control, which must be caught.
"""
import argparse
import collections
import re
import shutil
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from folds_with_fma import DIVIDES, SAYS_FMA, TAKES_ROOT  # noqa: E402

ROUNDING = {"add", "sub", "mul", "div", "sqrt"}
EXACT = {"mov", "ld", "st", "setp", "set", "selp", "neg", "abs", "min", "max", "copysign", "testp"}
# Generic loads count; ld.param and ld.shared do not: no launch writes those.
PTX_LOAD = re.compile(r"(ld|ldu|atom|red)\.(volatile\.|relaxed\.\w+\.|acquire\.\w+\.|weak\.)?"
                      r"(?!param|shared|const|local)")
PTX_FUNCTION = re.compile(r"^\s*(?:\.\w+\s+)*\.func\s+(?:\([^)]*\)\s*)?(\w+)")
SASS_LOAD = ("LDG", "LD", "ATOM", "ATOMG", "RED", "REDG", "LDGSTS", "UBLKCP", "UTMALDG")
FLOAT = re.compile(r"\.(f16|f32|f64|bf16|f16x2|bf16x2|f32x2)\b")


def ptx_files(path):
    """A file, or those in the folder where nvcc --keep has left them."""
    path = pathlib.Path(path)
    found = sorted(path.glob("*.ptx")) if path.is_dir() else [path]
    if not found:
        raise SystemExit(f"no PTX in {path}")
    return found


def check_ptx(text):
    """Findings, and each kernel once. A function's body is the function's, which says by its own name
    what it may do; what calls one must have waited."""
    kernel = None
    waits = not re.search(r"^\.target\s+sm_(9|1[0-9])\d", text, re.M)  # older code has no wait
    waited = waits
    for number, line in enumerate(text.splitlines(), 1):
        entry = re.search(r"\.entry\s+(\w+)", line)
        if entry:
            kernel = entry.group(1)
            waited = waits
            yield kernel, None
        function = PTX_FUNCTION.search(line)
        if function:
            kernel = function.group(1)
            waited = True
        code = line.split("//")[0].strip()
        code = re.sub(r"^@!?%\w+\s+", "", code)
        instruction = code.split(None, 1)[0].rstrip(";") if code else ""
        if instruction == "griddepcontrol.wait":
            waited = True
        elif instruction.startswith("call") and not waited:
            yield kernel, f"line {number}: calls before it waits, and a function may load: {code}"
        elif PTX_LOAD.match(instruction) and not waited:
            yield kernel, f"line {number}: loads before it waits: {code}"
        if instruction.startswith(".") or not FLOAT.search(instruction):
            continue
        name = instruction.split(".")[0]
        words = instruction.split(".")
        if "ftz" in words:
            yield kernel, f"line {number}: flushes to zero: {code}"
        elif name in ROUNDING and "rn" in words or name in EXACT:
            continue
        elif name == "fma" and "rn" in words and SAYS_FMA.search(kernel):
            continue
        elif name == "cvt" and ("rn" in words or words[1:] in (["f64", "f32"], ["f32", "f16"])):
            continue
        else:
            yield kernel, f"line {number}: {code}"


def check_sass(text):
    kernel = None
    waits = False
    waited = True
    for line in text.splitlines():
        target = re.search(r"EF_CUDA_SM(\d+)|arch = sm_(\d+)", line)
        if target:
            waits = int(target.group(1) or target.group(2)) >= 90
        entry = re.search(r"Function : (\S+)", line)
        if entry:
            kernel = entry.group(1)
            waited = not waits
            yield kernel, None
        match = re.match(r"\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)\s*(.*?);", line)
        if not match:
            continue
        name, operands = match.groups()
        words = name.split(".")
        if words[0] == "ACQBULK":
            waited = True
        elif words[0] in SASS_LOAD and not waited:
            yield kernel, f"loads before it waits: {name} {operands}"
        # HFMA2 with zero factors is how the compiler loads some constants.
        constant = words[0].startswith("HFMA2") and operands.count("RZ") >= 2
        # A half plus minus zero, in 32 bits, is how it is widened: exact.
        widened = name == "HADD2.F32" and "-RZ" in operands
        # Integer division goes through an approximate reciprocal: MUFU.RCP and F2I.FTZ, exact at the end.
        fuses = SAYS_FMA.search(kernel) or DIVIDES.search(kernel)
        # So are division's cases of NaN and infinity, with FSETP.FTZ and FADD.FTZ. PTX shows that no
        # comparison or sum of ours flushes.
        flushes = "FTZ" in words and words[0] != "F2I"
        of_division = words[0] in ("FSETP", "FADD") and DIVIDES.search(kernel)
        of_root = words[0] in ("FSETP", "FADD", "FMUL") and TAKES_ROOT.search(kernel)
        if words[0] in ("FFMA", "DFMA", "FFMA2") and not fuses or flushes and not (of_division or of_root):
            yield kernel, f"{name} {operands}"
        elif words[0] == "MUFU" and words[1] != "RCP" and not fuses:
            yield kernel, f"{name} {operands}"
        elif words[0].startswith(("HFMA", "HADD", "HMUL")) and not (constant or widened):
            yield kernel, f"{name} {operands}"
        elif words[0] in ("RED", "REDG", "ATOM", "ATOMG", "ATOMS") and re.search(r"\.(F|BF)\d", name):
            yield kernel, f"{name} {operands}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["ptx", "sass", "skip"])
    parser.add_argument("--kernels", type=int, default=1)
    parser.add_argument("--must-fail", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()

    if options.kind == "skip":
        print("skipped:", *options.files)
        return 77

    kernels = set()
    faults = collections.defaultdict(list)
    for path in options.files:
        for file in path.split(";"):
            if options.kind == "ptx":
                findings = [found for part in ptx_files(file)
                            for found in check_ptx(part.read_text())]
            else:
                if shutil.which("cuobjdump") is None:
                    print("skipped: no cuobjdump on the PATH")
                    return 77
                text = subprocess.run(["cuobjdump", "--dump-sass", file], capture_output=True,
                                      text=True, check=True).stdout
                findings = check_sass(text)
            for kernel, fault in findings:
                kernels.add(kernel)
                if fault:
                    faults[kernel].append(fault)

    for kernel, list_of_faults in faults.items():
        print(f"{kernel}: {len(list_of_faults)}")
        for fault in list_of_faults[:3]:
            print(f"    {fault}")
    print(f"{len(kernels)} kernels, {len(faults)} break the contract")
    if options.must_fail:
        return 0 if faults else 1
    return 1 if faults or len(kernels) < options.kernels else 0


if __name__ == "__main__":
    sys.exit(main())

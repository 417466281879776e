"""Inspects AMD device code inside host objects or shared libraries, kernel by kernel.

Rules, each a sentence with a reason:
  fused     no fused or mixed multiply-add of floating-point numbers: sums would be contracted
  flushing  subnormals kept, rounding to nearest, and no instruction that changes either
  atomic    no atomic but the 32-bit integer add of the hand-over: float atomics have no order
  scratch   no scratch memory: a spilled state costs more than the fold
  wave      waves of 32 threads from gfx10 on, of 64 before: what the sources were compiled for
Exit code 77: skipped, with the reason.
"""

import argparse
import re
import struct
import subprocess
import sys
import tempfile

BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"

FUSED = re.compile(r"v_(pk_)?(fma|fmac|fmaak|fmamk|mac|madak|madmk|mad|dot\d*c?)(_legacy|_mix\w*)?"
                   r"_(f16|f32|f64|bf16)")
# A 64-bit integer division estimates in f32 with 2^32 and -2^32 as literals; no result comes of it.
INTEGER_DIVISION = re.compile(r"0x[4c]f800000")
MODE = re.compile(r"s_denorm_mode|s_round_mode|s_setreg\w*\s+hwreg\((HW_REG_MODE|1)\b")
ATOMIC = re.compile(r"(global|flat|buffer|ds)_\w*atomic\w*|ds_(add|sub|min|max|cmpst|pk_add)\w*")
HAND_OVER = re.compile(r"global_atomic_(add|add_u32|inc)\b")
SCRATCH = re.compile(r"scratch_(load|store)|buffer_(load|store)_dword")


class Kernel:
    def __init__(self, name, descriptor):
        self.name = name
        self.instructions = []
        self.scratch_bytes, = struct.unpack_from("<I", descriptor, 4)
        register1, = struct.unpack_from("<I", descriptor, 48)
        properties, = struct.unpack_from("<H", descriptor, 56)
        self.rounding = register1 >> 12 & 15  # f32 in the low two bits, f16 and f64 in the next
        self.subnormals = register1 >> 16 & 15  # 3: kept; anything less flushes inputs or results
        self.wave_width = 32 if properties >> 10 & 1 else 64


def bundles(data):
    """Yields (architecture, ELF image) of every clang offload bundle in `data`."""
    start = data.find(BUNDLE)
    while start >= 0:
        count, = struct.unpack_from("<Q", data, start + len(BUNDLE))
        at = start + len(BUNDLE) + 8
        for _ in range(count):
            offset, size, length = struct.unpack_from("<QQQ", data, at)
            target = data[at + 24:at + 24 + length].decode()
            at += 24 + length
            if size > 0 and "amdgcn" in target:
                architecture = target.rsplit("--", 1)[1].split(":")[0]
                yield architecture, data[start + offset:start + offset + size]
        start = data.find(BUNDLE, at)


def descriptors(elf):
    """{kernel name: its 64 descriptor bytes}, from the symbols `name.kd` of a 64-bit ELF image."""
    table_offset, = struct.unpack_from("<Q", elf, 40)
    entry_size, count = struct.unpack_from("<HH", elf, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, table_offset + i * entry_size)
                for i in range(count)]
    found = {}
    for _, kind, _, _, offset, size, link, _, _, _ in sections:
        if kind not in (2, 11):  # symbols, dynamic symbols
            continue
        names = sections[link][4]
        for at in range(offset, offset + size, 24):
            name_at, _, _, section, value, _ = struct.unpack_from("<IBBHQQ", elf, at)
            name = elf[names + name_at:elf.index(b"\0", names + name_at)].decode()
            if name.endswith(".kd") and 0 < section < len(sections):
                place = sections[section][4] + value - sections[section][3]
                found[name[:-3]] = elf[place:place + 64]
    return found


def kernels(elf, objdump):
    found = {name: Kernel(name, bytes_) for name, bytes_ in descriptors(elf).items()}
    with tempfile.NamedTemporaryFile(suffix=".elf") as file:
        file.write(elf)
        file.flush()
        text = subprocess.run([objdump, "--disassemble", "--no-show-raw-insn", file.name], check=True,
                              capture_output=True, text=True).stdout
    current = None
    for line in text.splitlines():
        label = re.match(r"[0-9a-f]+ <(.+)>:$", line)
        if label:
            current = found.get(label.group(1), current)
        elif current is not None and line.startswith("\t"):
            current.instructions.append(line.split("//")[0].strip())
    return list(found.values())


def faults(kernel, architecture):
    """Yields (rule, what was found)."""
    if kernel.scratch_bytes:
        yield "scratch", f"{kernel.scratch_bytes} bytes a thread"
    if kernel.subnormals != 15:
        yield "flushing", f"the kernel starts with subnormal mode {kernel.subnormals}, not 15"
    if kernel.rounding != 0:
        yield "flushing", f"the kernel starts with rounding mode {kernel.rounding}, not 0"
    modern = len(architecture) == 7  # gfx1030 and later; gfx90a and earlier have three digits
    if kernel.wave_width != (32 if modern else 64):
        yield "wave", f"waves of {kernel.wave_width} threads"
    for instruction in kernel.instructions:
        if FUSED.match(instruction) and not INTEGER_DIVISION.search(instruction):
            yield "fused", instruction
        if MODE.match(instruction):
            yield "flushing", instruction
        if ATOMIC.match(instruction) and not HAND_OVER.match(instruction):
            yield "atomic", instruction
        if SCRATCH.match(instruction):
            yield "scratch", instruction


def readable(name):
    try:
        name = subprocess.run(["c++filt", name], capture_output=True, text=True).stdout.strip() or name
    except OSError:
        pass
    return re.sub(r"isofold::(gpu|core|hip)::|void |\(.*", "", name)


def inspect(arguments):
    seen = {}
    broken = {}
    for path in arguments.objects:
        with open(path, "rb") as file:
            data = file.read()
        for architecture, elf in bundles(data):
            for kernel in kernels(elf, arguments.objdump):
                seen.setdefault(architecture, []).append(kernel)
                for rule, what in faults(kernel, architecture):
                    broken.setdefault(rule, []).append(f"{architecture} {readable(kernel.name)}: {what}")
    return seen, broken


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--skip")
    parser.add_argument("--objdump")
    parser.add_argument("--architectures", nargs="+", default=[])
    parser.add_argument("--objects", nargs="+", default=[])
    parser.add_argument("--expect-faults", action="store_true")
    arguments = parser.parse_args()
    if arguments.skip:
        print(f"skipped: {arguments.skip}")
        return 77

    seen, broken = inspect(arguments)
    for architecture in sorted(seen):
        instructions = sum(len(kernel.instructions) for kernel in seen[architecture])
        print(f"{architecture}: {len(seen[architecture])} kernels, {instructions} instructions")
    for rule, places in sorted(broken.items()):
        print(f"{rule}: {len(places)} places, the first:")
        for place in places[:10]:
            print(f"  {place}")

    wanted = {architecture.split(":")[0] for architecture in arguments.architectures}
    if set(seen) != wanted or any(not k.instructions for kernels_ in seen.values() for k in kernels_):
        print(f"expected code for {sorted(wanted)}, found it for {sorted(seen)}, or a kernel is empty")
        return 1
    if arguments.expect_faults:
        missed = {"fused", "flushing", "atomic", "scratch"} - set(broken)
        print(f"rules that the control did not break: {sorted(missed) or 'none'}")
        return 1 if missed else 0
    # The rules must have been applied to code that does what they are about.
    for architecture, kernels_ in seen.items():
        text = "\n".join(i for kernel in kernels_ for i in kernel.instructions)
        for needed in ("v_add_f32", "v_add_f64", "v_mul_f32", "v_mul_f64", "ds_bpermute_b32"):
            if needed not in text:
                print(f"{architecture} has no {needed}: this is not the code of the folds")
                return 1
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

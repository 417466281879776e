"""Inspects AMD device code inside host objects or shared libraries, kernel by kernel.

Rules, each a sentence with a reason:
  fused     no fused or mixed multiply-add of floating-point numbers, but in folds that say so or
            divide (tests/support/folds_with_fma.py): sums would be contracted
  flushing  subnormals kept, rounding to nearest, and no instruction that changes either
  atomic    no atomic but 32-bit integer adds: the hand-over's, and those that number or count entries
            of a list in shared memory; float atomics have no order. Words of exact_v1 are added as
            64-bit integers
  scratch   no scratch memory, no spilled vector register: a spilled state costs more than the fold
            (but 64 bytes in the kernels of MAY_SPILL on gfx906, gfx1030 and gfx1100, 384 in
            ReduceStrided's on gfx1100, 256, or 32 on gfx90a and gfx940, in those of CONVERTED_TWICE, and
            SPILLED_BYTES_OF_LISTS in kernels for several folds, and MOST_BYTES_OF_A_RESULT in those that
            put results together, and MOST_BYTES_OF_DIGITS in those of exact_v1)
  round     exact_v1: a way round the loop that loads and adds elements, which no scratch memory is on
  wave      waves of 32 threads from gfx10 on, of 64 before: what the sources were compiled for
  wide      kernels of wide lanes load 16 bytes at once, and a chunk's 16 rows before they wait for one;
            8 where a lane is four numbers, and of complex elements of 16 bytes or of two arrays
  root      no square root in one instruction: v_sqrt is an estimate, of f64 with 29 bits less
  flat      no load whose address space is unknown: it would also wait for shared memory
  bytes     no byte of shared memory alone, but bits of masks: an element is read and written at once
  call      a kernel is one piece: a call keeps states in scratch memory
--table FILE writes registers, shared memory and occupancy of every kernel into FILE, between the two
lines that say so. Exit code 77: skipped, with the reason.
"""

import argparse
import re
import struct
import subprocess
import sys
import pathlib
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from folds_with_fma import DIVIDES, SAYS_FMA  # noqa: E402

BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"

# gfx11 writes two instructions on a line, both named v_dual_*.
FUSED = re.compile(r"\bv_(pk_|dual_)?(fma|fmac|fmaak|fmamk|mac|madak|madmk|mad|dot\d*\w*)(_legacy|_mix\w*)?"
                   r"_(f16|f32|f64|bf16)")
# A 64-bit integer division estimates in f32 with 2^32 and -2^32 as literals; no result comes of it.
INTEGER_DIVISION = re.compile(r"0x[4c]f800000")
MODE = re.compile(r"s_denorm_mode|s_round_mode|s_setreg\w*\s+hwreg\((HW_REG_MODE|1)\b")
ATOMIC = re.compile(r"(global|flat|buffer|ds)_\w*atomic\w*|ds_(add|sub|min|max|cmpst|pk_add)\w*")
COUNTER = re.compile(r"global_atomic_(add|add_u32|inc)\b|ds_add_(rtn_)?u32\b")
WORDS = re.compile(r"(global_atomic_add|ds_add)_(x2|u64)\b")
SCRATCH = re.compile(r"scratch_(load|store)|buffer_(load|store)_(dword|b\d)")
WIDE = re.compile(r"global_load_(dwordx4|b128)")
# f16 and bf16, four at once (backends/gpu/input/contiguous_converted.hpp).
WIDE_HALVES = re.compile(r"global_load_(dwordx2|b64)")
ROOT = re.compile(r"v_sqrt_(f32|f64)")
FLAT = re.compile(r"flat_(load|store|atomic)")
# A copy that has been cut to pieces has bytes among them; some numbers of segments have 16 bits.
BYTES = re.compile(r"ds_((read|load)_[ui]|(write|store)_b)8")
HAS_BYTES = re.compile(r"MaskToBits")
CALL = re.compile(r"s_(swappc|call)_b64")
ROWS_OF_A_CHUNK = 16
# Lanes of four numbers, and complex elements of 16 bytes or of two arrays, have half as many loads
# at once (isofold/detail/gpu/chunk_fold.hpp).
IN_HALVES = re.compile(r"LocateBoth|isofold_c128|Complex(Dot|SquaredDistance)")
# Lists of folds of two arrays hold a quarter of a chunk of each (backends/gpu/kernel/fused_ops.hpp): the loads
# of one of them, for LLVM 15 waits for these before it issues the other's of c64 on gfx90a.
IN_QUARTERS = re.compile(r"ReduceFusedOps\w*ELi2EE")
# Two arrays, or two passes over what is held: on gfx906 and gfx1030, which have 128 registers for such
# blocks, a few are spilled, and less time is lost to them than to fewer loads in flight. LLVM 15 gives
# gfx1100 no more either.
WITH_FEW_REGISTERS = ("gfx906", "gfx1030", "gfx1100")
MAY_SPILL = re.compile(r"Dot|SquaredDistance|WeightedSum|ExponentialSum|BoundedKindE1E")
SPILLED_BYTES = 64
# LLVM 15 gives gfx1100's threads 128 registers, though the kernel's bounds leave room for 256, which it
# takes on all other architectures and needs: 164 to 368 bytes are spilled.
SPILLED_BYTES_OF_PLACED = 384
# Two passes over elements that are converted as they are used: LLVM 15 converts them once and keeps the
# result, in 84 to 248 bytes where there are 128 registers, and 28 (log-sum-exp) on gfx90a.
CONVERTED_TWICE = re.compile(r"StoredRows.*(MomentsBase|ExponentialSum|Norm2)")
SPILLED_BYTES_OF_CONVERTED = {"gfx90a": 32, "gfx940": 32}
MOST_SPILLED_BYTES_OF_CONVERTED = 256

# Whichever fold of a list runs, the chunk is held: with all folds of f32 on the menu, more than 256 registers.
# LLVM 15 gives gfx1100 128 there, too.
SPILLED_BYTES_OF_LISTS = {"gfx906": 128, "gfx1030": 128, "gfx1100": 640}

# A result of any type is put together byte by byte, by one thread for each row, and no element is read.
BYTES_OF_A_RESULT = re.compile(r"(Write|Finish)Partials")
MOST_BYTES_OF_A_RESULT = 64

# Per SIMD: 32-bit vector registers of a lane, the granule in which a wave gets them, and most waves.
# From LLVM's lib/Target/AMDGPU/Utils/AMDGPUBaseInfo.cpp (getTotalNumVGPRs, getVGPRAllocGranule,
# getMaxWavesPerEU), for the wave width that isofold uses; gfx1100 has 1.5 times the registers.
REGISTER_FILES = {"gfx906": (256, 4, 10), "gfx90a": (512, 8, 8), "gfx940": (512, 8, 8),
                  "gfx1030": (1024, 16, 16), "gfx1100": (1536, 24, 16)}

# exact_v1 rounds digits that are indexed, so that they lie in scratch memory: three numbers of 140 digits. Elements
# that fit no window go there, too, but a round of the loop that loads the others must not.
EXACT = re.compile(r"\d(SumExactly|SumShortRowsExactly|FinishExactly)I")
ANYWHERE = re.compile(r"SumExactlyI\w*EvEE")  # SumExactly<fold, void>: its elements are of any type and lie anywhere
OF_HALVES = re.compile(r"SumExactlyI\w*EtEE")  # a tile of 16-bit floats may have 8 bytes alone
EIGHT_OR_SIXTEEN = re.compile(f"{WIDE.pattern}|{WIDE_HALVES.pattern}")
MOST_BYTES_OF_DIGITS = 2304
# The end of a row writes, a round of the loop does not.
ENDS_ROW = re.compile(r"global_(store|atomic)")
OF_INTEGERS = re.compile(r"3SumI[ijlm]E")
WIDE_ADDITION = re.compile(r"v_(addc_co|add_co_ci)_u32|v_lshl_add_u64")
ADDITIONS_OF_A_ROUND = 12  # at least: a tile of four numbers, three additions each
GOES_ELSEWHERE = re.compile(r"s_(branch|endpgm|setpc_b64)\b")

BEGIN = "<!-- written by tests/hip/device_code.py --table, from here -->"
END = "<!-- to here -->"


class Kernel:
    def __init__(self, name, descriptor):
        self.name = name
        self.instructions = []
        self.places = []  # of instructions: bytes from the kernel's beginning
        self.jumps = {}  # from an instruction's number to the place where it may go on
        self.scratch_bytes, = struct.unpack_from("<I", descriptor, 4)
        register1, = struct.unpack_from("<I", descriptor, 48)
        properties, = struct.unpack_from("<H", descriptor, 56)
        self.rounding = register1 >> 12 & 15  # f32 in the low two bits, f16 and f64 in the next
        self.subnormals = register1 >> 16 & 15  # 3: kept; anything less flushes inputs or results
        self.wave_width = 32 if properties >> 10 & 1 else 64
        self.facts = {}  # of the metadata: vgpr_count, sgpr_count, vgpr_spill_count, ...


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


def metadata(notes):
    """{kernel name: {key: number}} of what llvm-readelf --notes prints."""
    found = {}
    for entry in re.split(r"^  - ", notes, flags=re.M)[1:]:
        facts = dict(re.findall(r"^ {0,4}\.(\w+): +(\S+)$", entry, flags=re.M))
        found[facts.get("name")] = {key: int(value) for key, value in facts.items() if value.isdigit()}
    return found


def kernels(elf, objdump):
    found = {name: Kernel(name, bytes_) for name, bytes_ in descriptors(elf).items()}
    with tempfile.NamedTemporaryFile(suffix=".elf") as file:
        file.write(elf)
        file.flush()
        text = subprocess.run([objdump, "--disassemble", "--no-show-raw-insn", file.name], check=True,
                              capture_output=True, text=True).stdout
        notes = subprocess.run([objdump.replace("objdump", "readelf"), "--notes", file.name], check=True,
                               capture_output=True, text=True).stdout
    for name, facts in metadata(notes).items():
        if name in found:
            found[name].facts = facts
    current, begin = None, 0
    for line in text.splitlines():
        label = re.match(r"([0-9a-f]+) <(.+)>:$", line)
        if label:
            begin = int(label.group(1), 16) if label.group(2) in found else begin
            current = found.get(label.group(2), current)
        elif current is not None and line.startswith("\t") and "//" in line:
            instruction, place = line.split("//")
            jump = re.match(r"s_c?branch.*<.+?(?:\+0x([0-9a-f]+))?>$", line.strip())
            if jump:
                current.jumps[len(current.instructions)] = int(jump.group(1) or "0", 16)
            current.places.append(int(place.split(":")[0], 16) - begin)
            current.instructions.append(instruction.strip())
    return list(found.values())


def reached(start, following):
    found, left = {start}, [start]
    while left:
        for each in following[left.pop()]:
            if each not in found:
                found.add(each)
                left.append(each)
    return found


def has_round_without_scratch(kernel, load, addition):
    """Whether there is a way round a loop that loads and adds elements, and neither touches scratch memory nor ends a
    row."""
    count = len(kernel.instructions)
    number = {place: i for i, place in enumerate(kernel.places)}
    barred = [SCRATCH.match(text) or ENDS_ROW.match(text) for text in kernel.instructions]
    after, before = [[] for _ in range(count)], [[] for _ in range(count)]
    for i, text in enumerate(kernel.instructions):
        ways = [i + 1] if i + 1 < count and not GOES_ELSEWHERE.match(text) else []
        ways += [number[kernel.jumps[i]]] if i in kernel.jumps else []
        for way in ways:
            if not barred[i] and not barred[way]:
                after[i].append(way)
                before[way].append(i)
    for i, text in enumerate(kernel.instructions):
        if load.match(text) and not barred[i]:
            loop = reached(i, after) & reached(i, before)
            additions = [j for j in loop if addition.match(kernel.instructions[j])]
            if len(additions) >= ADDITIONS_OF_A_ROUND:
                return True
    return False


def loads_in_flight(kernel, wide=WIDE):
    """The most wide loads that a thread has issued and not yet waited for: vmcnt(n) leaves n."""
    most = now = 0
    for instruction in kernel.instructions:
        wait = re.match(r"s_waitcnt .*vmcnt\((\d+)\)", instruction)
        if wait:
            now = min(now, int(wait.group(1)))
        elif wide.match(instruction):
            now += 1
            most = max(most, now)
    return most


def faults(kernel, architecture):
    """Yields (rule, what was found)."""
    is_exact = EXACT.search(kernel.name) is not None
    may_spill = (is_exact and kernel.scratch_bytes <= MOST_BYTES_OF_DIGITS
                 or BYTES_OF_A_RESULT.search(kernel.name) is not None
                 and kernel.scratch_bytes <= MOST_BYTES_OF_A_RESULT
                 or architecture in WITH_FEW_REGISTERS and MAY_SPILL.search(kernel.name) is not None
                 and kernel.scratch_bytes <= SPILLED_BYTES
                 or architecture == "gfx1100" and "ReduceStrided" in kernel.name
                 and kernel.scratch_bytes <= SPILLED_BYTES_OF_PLACED
                 or "ReduceFusedOps" in kernel.name
                 and kernel.scratch_bytes <= SPILLED_BYTES_OF_LISTS.get(architecture, 0)
                 or CONVERTED_TWICE.search(kernel.name) is not None
                 and kernel.scratch_bytes <= SPILLED_BYTES_OF_CONVERTED.get(architecture,
                                                                            MOST_SPILLED_BYTES_OF_CONVERTED))
    if kernel.scratch_bytes and not may_spill:
        yield "scratch", f"{kernel.scratch_bytes} bytes a thread"
    if is_exact and "FinishExactly" not in kernel.name:
        load = (re.compile("global_load") if ANYWHERE.search(kernel.name)
                else EIGHT_OR_SIXTEEN if OF_HALVES.search(kernel.name) else WIDE)
        addition = WIDE_ADDITION if OF_INTEGERS.search(kernel.name) else re.compile("v_add_f64")
        if not has_round_without_scratch(kernel, load, addition):
            yield "round", "no way round the loop over elements is without scratch memory"
    if kernel.subnormals != 15:
        yield "flushing", f"the kernel starts with subnormal mode {kernel.subnormals}, not 15"
    if kernel.rounding != 0:
        yield "flushing", f"the kernel starts with rounding mode {kernel.rounding}, not 0"
    modern = len(architecture) == 7  # gfx1030 and later; gfx90a and earlier have three digits
    if kernel.wave_width != (32 if modern else 64):
        yield "wave", f"waves of {kernel.wave_width} threads"
    if kernel.facts.get("wavefront_size") != kernel.wave_width:
        yield "wave", f"the metadata say waves of {kernel.facts.get('wavefront_size')} threads"
    if kernel.facts.get("vgpr_spill_count", 1) and not may_spill:
        yield "scratch", f"{kernel.facts.get('vgpr_spill_count')} vector registers spilled"
    # LLVM 15 waits for the first of log-sum-exp's loads before it issues the last.
    rows = ROWS_OF_A_CHUNK // (4 if IN_QUARTERS.search(kernel.name)
                               else 2 if IN_HALVES.search(kernel.name) else 1)
    rows -= 1 if "ExponentialSum" in kernel.name else 0
    wide = WIDE_HALVES if "StoredRows" in kernel.name else WIDE
    if "WideLanes" in kernel.name and loads_in_flight(kernel, wide) < rows:
        yield "wide", f"{loads_in_flight(kernel, wide)} wide loads in flight, expected {rows}"
    fuses = SAYS_FMA.search(kernel.name) or DIVIDES.search(kernel.name)
    for instruction in kernel.instructions:
        if FLAT.match(instruction):
            yield "flat", instruction
        if BYTES.match(instruction) and not HAS_BYTES.search(kernel.name):
            yield "bytes", instruction
        if ROOT.match(instruction):
            yield "root", instruction
        if CALL.match(instruction):
            yield "call", instruction
        if FUSED.search(instruction) and not fuses and not INTEGER_DIVISION.search(instruction):
            yield "fused", instruction
        if MODE.match(instruction):
            yield "flushing", instruction
        if ATOMIC.match(instruction) and not COUNTER.match(instruction) and not (is_exact and WORDS.match(instruction)):
            yield "atomic", instruction
        if SCRATCH.match(instruction) and not may_spill:
            yield "scratch", instruction


def readable(names):
    """{mangled: demangled, without namespaces and arguments}"""
    try:
        text = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True).stdout
        plain = text.splitlines()
    except OSError:
        plain = names
    return {name: re.sub(r"isofold::(gpu|core|hip)::|void |\(anonymous namespace\)::|\([^)]*\)$", "", line)
            for name, line in zip(names, plain)}


def inspect(arguments):
    seen = {}
    broken = {}
    for path in arguments.objects:
        with open(path, "rb") as file:
            data = file.read()
        for architecture, elf in bundles(data):
            found = kernels(elf, arguments.objdump)
            names = readable([kernel.name for kernel in found])
            for kernel in found:
                kernel.readable = names[kernel.name]
                seen.setdefault(architecture, []).append(kernel)
                for rule, what in faults(kernel, arguments.judge_as or architecture):
                    broken.setdefault(rule, []).append(f"{architecture} {kernel.readable}: {what}")
    return seen, broken


TYPES = {"float": "f32", "double": "f64", "int": "i32", "long": "i64", "unsigned int": "u32",
         "unsigned long": "u64"}
CASE = re.compile(r"run<(\w+)<(?:Rows<)?(Sum|Product|Extremum)<([a-z ]+?)(?:, \(Toward\)(\d))?>>?(?:, (Wide|Narrow)Lanes)?")


def case_of(kernel):
    """(fold, type, kernel with its loads), as docs/hip.md names them; None of other folds."""
    found = CASE.search(kernel.readable)
    if found is None:
        return None
    body, fold, element, toward, lanes = found.groups()
    fold = {"Sum": "sum", "Product": "product"}.get(fold) or ("minimum", "maximum")[int(toward)]
    types = TYPES[element]
    if fold in ("sum", "product") and types == "u64":
        types = "i64, u64"  # the same bits, so the same kernel
    return fold, types, body + (f", {lanes.lower()}" if lanes else "")


def occupancy(kernel, architecture):
    """Waves that a SIMD holds at once, as far as vector registers go."""
    registers, granule, most = REGISTER_FILES[architecture]
    taken = -(-max(kernel.facts["vgpr_count"], 1) // granule) * granule
    return min(most, registers // taken)


def shared_bytes(case, wave_width):
    """Shared memory of the largest block that the library launches, from backends/gpu/plan/contiguous.hpp."""
    fold, types, body = case
    state = 8 if "64" in types or (fold in ("sum", "product") and types[0] in "iu") else 4
    if body.startswith("EmptyRows"):
        return 0
    if body.startswith("ReduceByWarps"):
        return 256 * state
    return (512 + -(-512 // wave_width) + 64) * state + 16


def table(seen):
    architectures = sorted(seen, key=lambda name: (len(name), name))
    cases = {}
    for architecture in architectures:
        for kernel in seen[architecture]:
            cell = (f"{kernel.facts['vgpr_count']} / {kernel.facts['sgpr_count']} / "
                    f"{occupancy(kernel, architecture)}")
            if case_of(kernel) is not None:
                cases.setdefault(case_of(kernel), {})[architecture] = cell
    yield "| fold | type | kernel | LDS, waves of 32 / 64 | " + " | ".join(architectures) + " |"
    yield "|---" * (4 + len(architectures)) + "|"
    for case in sorted(cases, key=lambda case: (case[2], case[0], case[1])):
        cells = [cases[case].get(architecture, "") for architecture in architectures]
        yield (f"| {case[0]} | {case[1]} | {case[2]} | {shared_bytes(case, 32)} / {shared_bytes(case, 64)} | "
               + " | ".join(cells) + " |")


def write_table(seen, path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + BEGIN + "\n\n" + "\n".join(table(seen)) + "\n\n" + END + after)
    print(f"wrote {path}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--skip")
    parser.add_argument("--objdump")
    parser.add_argument("--architectures", nargs="+", default=[])
    parser.add_argument("--objects", nargs="+", default=[])
    parser.add_argument("--expect-faults", nargs="+", default=[])
    parser.add_argument("--judge-as", help="for the control: the rules of another architecture")
    parser.add_argument("--table")
    arguments = parser.parse_args()
    if arguments.skip:
        print(f"skipped: {arguments.skip}")
        return 77

    arguments.objects = [path for given in arguments.objects for path in given.split(";")]
    seen, broken = inspect(arguments)
    for architecture in sorted(seen):
        found = seen[architecture]
        print(f"{architecture}: {len(found)} kernels, {sum(len(k.instructions) for k in found)} instructions, "
              f"at most {max(k.facts.get('vgpr_count', 0) for k in found)} vector registers; "
              f"{sum(k.facts.get('sgpr_spill_count', 0) > 0 for k in found)} kernels keep scalars in vector lanes")
    for rule, places in sorted(broken.items()):
        print(f"{rule}: {len(places)} places, the first:")
        for place in places[:10]:
            print(f"  {place}")

    wanted = {architecture.split(":")[0] for architecture in arguments.architectures}
    if set(seen) != wanted or any(not k.instructions for kernels_ in seen.values() for k in kernels_):
        print(f"expected code for {sorted(wanted)}, found it for {sorted(seen)}, or a kernel is empty")
        return 1
    if arguments.expect_faults:
        missed = set(arguments.expect_faults) - set(broken)
        print(f"rules that the control did not break: {sorted(missed) or 'none'}")
        return 1 if missed else 0
    # The rules must have been applied to code that does what they are about.
    text = "\n".join(i for kernels_ in seen.values() for kernel in kernels_ for i in kernel.instructions)
    for needed in ("v_add_f32", "v_add_f64", "v_mul_f32", "v_mul_f64", "ds_bpermute_b32"):
        if needed not in text:
            print(f"there is no {needed}: this is not the code of the folds")
            return 1
    if arguments.table:
        write_table(seen, arguments.table)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

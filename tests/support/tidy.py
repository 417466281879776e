#!/usr/bin/env python3
"""clang-tidy over the C++ sources of a compilation database, in batches.

    tests/support/tidy.py BUILD TIDY [OPTION]...

Most of the time of a source goes into the headers that it shares with its neighbours, so the sources of a folder
are read together, as in a unity build. Where two of them have one name, those at which the compiler stops are read again
without the others. What is said in the end is said of single sources. Options go to clang-tidy."""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parents[2]
batch_size = 8
# These are read alone: they define each other's names on purpose, or are large enough by themselves.
alone = {"bench", "bench/peers", "simulator"}
linted = r"/(include/isofold|src|backends|cli|conformance|simulator|tests|bench|examples)/.*\.(hpp|h|cpp)$"


def sources_of(database):
    """Each source once, though several programs have it: only defines differ. The emulator's two wave widths are one
    source but for a number, and a minute each. Generated sources are nobody's to mend."""
    once = {}
    for entry in json.loads(database.read_text(encoding="utf-8")):
        file = pathlib.Path(entry["file"])
        if file.suffix == ".cpp" and here in file.parents and here / "build" not in file.parents:
            once.setdefault(str(file.relative_to(here)), entry)
    once.pop("simulator/simt64.cpp", None)
    return once


def batches_of(once):
    """Lists of sources of one folder."""
    folders = {}
    batches = []
    for source in sorted(once):
        folder = os.path.dirname(source)
        if folder in alone:
            batches.append([source])
        else:
            folders.setdefault(folder, []).append(source)
    for sources in folders.values():
        count = -(-len(sources) // batch_size)
        batches += [sources[i::count] for i in range(count)]
    return batches


def split(sources, said):
    """Two parts of a batch of which clang-tidy said something. Where two sources have one name, the compiler stops at the
    later one: such sources are the second part. Where it stops at none, the parts are halves."""
    compiler_error = rf"^{re.escape(str(here))}/(\S+?):\d+:\d+: error: .*\[clang-diagnostic-error\]$"
    wrong = set(re.findall(compiler_error, said, re.MULTILINE))
    apart = [source for source in sources if source in wrong]
    if 0 < len(apart) < len(sources):
        return [source for source in sources if source not in wrong], apart
    return sources[:len(sources) // 2], sources[len(sources) // 2:]


def joined(entry, others, file):
    """The command of `entry` for another file, with the folders and defines that `others` have besides."""
    def settings(command):
        words = re.sub(r"-isystem +", "-isystem", command).split()
        return [word for word in words if word.startswith(("-I", "-D", "-isystem"))]

    own = settings(entry["command"])
    more = [word for other in others for word in settings(other["command"]) if word not in own]
    command = entry["command"].replace(entry["file"], str(file))
    return {**entry, "file": str(file), "command": " ".join([command, *dict.fromkeys(more)])}


def main():
    build, tidy, *options = sys.argv[1:]
    once = sources_of(pathlib.Path(build) / "compile_commands.json")
    scratch = tempfile.TemporaryDirectory(prefix="isofold-tidy-")

    def read(sources):
        """What clang-tidy says about these sources together, or "" where it has nothing to say."""
        folder = pathlib.Path(scratch.name) / re.sub(r"\W", "_", f"{sources[0]}_{len(sources)}")
        folder.mkdir()
        file = here / sources[0]
        together = []
        if len(sources) > 1:
            file = folder / "together.cpp"
            # Every error counts, and a main() of another name may lack its return.
            together = ["--extra-arg=-ferror-limit=0", "--extra-arg=-Wno-return-type"]
            file.write_text("".join(
                f'#define main main_{i}\n#include "{here / source}"  // NOLINT(bugprone-suspicious-include)\n#undef main\n'
                for i, source in enumerate(sources)), encoding="utf-8")
        first, *others = [once[source] for source in sources]
        (folder / "compile_commands.json").write_text(json.dumps([joined(first, others, file)]), encoding="utf-8")
        done = subprocess.run(
            [tidy, "--quiet", "-p", folder, f"--config-file={here / '.clang-tidy'}", f"--header-filter={linted}",
             *together, *options, file], cwd=here, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode == 0:
            return ""
        if len(sources) == 1:
            return done.stdout
        print(f"apart: {' '.join(sources)}", flush=True)
        return "".join(read(part) for part in split(sources, done.stdout))

    batches = batches_of(once)
    print(f"{len(once)} sources in {len(batches)} batches", flush=True)
    with scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = "".join(pool.map(read, batches))
    print(said, end="")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())

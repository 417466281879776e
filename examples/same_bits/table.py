#!/usr/bin/env python3
"""The table of bits in README.md: printed by the programs of this folder, or compared with what they print.

    table.py FOLDER [--ranks 1,7,64] [--mpirun COMMAND] [--torch PYTHON]
                                                          prints it; FOLDER has the programs, or they are named by path
    table.py FOLDER ... --check README.md                 exit code 1 unless every line of isofold has README's bits,
                                                          and one of the others at least has other bits

README's other bits are those of Debian 12's compilers and OpenMPI: another compiler's loop may have bits of its own.
"""
import argparse
import pathlib
import re
import subprocess
import sys

LINE = re.compile(r"^\| (.+?) \| (.+?) \| `([0-9a-f]{8})` \|$", re.M)


def lines_of(arguments):
    text = subprocess.run([str(arguments.folder / "same_bits")], check=True, capture_output=True, text=True).stdout
    ranked = arguments.ranked or arguments.folder / "same_bits_ranks"
    if ranked.exists():
        for ranks in arguments.ranks.split(","):
            text += subprocess.run([*arguments.mpirun.split(), "-n", ranks, str(ranked)], check=True, capture_output=True,
                                   text=True).stdout
    if (arguments.folder / "same_bits_cub").exists():
        text += subprocess.run([str(arguments.folder / "same_bits_cub")], check=True, capture_output=True, text=True).stdout
    if arguments.torch:
        text += subprocess.run([arguments.torch, str(pathlib.Path(__file__).parent / "same_bits_torch.py")], check=True,
                               capture_output=True, text=True).stdout
    lines = LINE.findall(text)
    return sorted(lines, key=lambda line: not line[0].startswith("isofold"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ranked", type=pathlib.Path)
    parser.add_argument("--ranks", default="1,7,64")
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--torch", metavar="PYTHON", help="a Python that has torch: its lines, too")
    parser.add_argument("--check", type=pathlib.Path)
    arguments = parser.parse_args()
    lines = lines_of(arguments)
    print("| sum by | on | bits of the result |\n|---|---|---|")
    for line in lines:
        print("| {} | {} | `{}` |".format(*line))
    if not arguments.check:
        return
    promised = {bits for who, _, bits in LINE.findall(arguments.check.read_text(encoding="utf-8")) if who.startswith("isofold")}
    own = {bits for who, _, bits in lines if who.startswith("isofold")}
    others = {bits for who, _, bits in lines if not who.startswith("isofold")}
    if len(promised) != 1 or own != promised or not others - own:
        sys.exit(f"README promises {promised}, isofold has {own}, others have {others}.")


if __name__ == "__main__":
    main()

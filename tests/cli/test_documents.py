"""Completion in shells, the manual page, and lists of names in place of an error."""

import re
import shutil
import subprocess
import unittest

from support import BAD_INPUT, PROGRAM, ProgramTest, run

COMMANDS = ["info", "reduce", "verify", "fuzz", "diff", "fingerprint", "generate", "bench", "completion", "manual"]


def options_of(command):
    """The long options that the help of a command lists."""
    options = set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(command, "--help").stdout.decode(), re.M))
    assert "--help" in options, command
    return options


class Completion(ProgramTest):
    def bash(self, *words):
        """What bash offers for the last word."""
        script = self.file(run("completion", "bash").stdout, "completion.bash")
        text = f"source {script}; COMP_WORDS=(isofold {' '.join(map(repr, words))}); COMP_CWORD={len(words)}; " \
               "_isofold; printf '%s\\n' \"${COMPREPLY[@]}\""
        return subprocess.run(["bash", "-euc", text], check=True, capture_output=True, text=True).stdout.split()

    @unittest.skipUnless(shutil.which("bash"), "no bash here")
    def test_bash(self):
        self.assertEqual(self.bash("red"), ["reduce"])
        self.assertTrue(set(COMMANDS) <= set(self.bash("")))
        self.assertEqual(self.bash("reduce", "x.npy", "--acc"), ["--accumulator"])
        self.assertEqual(self.bash("reduce", "--fold", "sum_"), ["sum_with_bound"])
        self.assertEqual(self.bash("reduce", "--fold", "sum,minm"), ["sum,minmax"])
        self.assertEqual(self.bash("reduce", "--fold", "=", "minm"), ["minmax"])
        self.assertEqual(self.bash("reduce", "--mask", "x"), [], "a file's name, which bash itself completes")
        self.assertEqual(self.bash("completion", "z"), ["zsh"])
        for command in COMMANDS:
            self.assertTrue(options_of(command) <= set(self.bash(command, "-")), command)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh here")
    def test_zsh(self):
        script = self.file(run("completion", "zsh").stdout, "_isofold")
        subprocess.run(["zsh", "-n", str(script)], check=True)
        # _arguments, which only a line editor may call, is replaced by one that prints what it is given.
        text = f"words=(reduce); _arguments() {{ print -l -- \"$@\"; state=argument }}; f() {{ . {script} }}; f"
        given = subprocess.run(["zsh", "-fc", text], check=True, capture_output=True, text=True).stdout
        for option in options_of("reduce"):
            self.assertIn(f"\n{option}", given)
        self.assertIn("_values -s , name sum product", given)

    @unittest.skipUnless(shutil.which("fish"), "no fish here")
    def test_fish(self):
        script = self.file(run("completion", "fish").stdout, "isofold.fish")

        def offered(line):
            text = f"source {script}; complete -C {line!r}"
            lines = subprocess.run(["fish", "--no-config", "-c", text], check=True, capture_output=True, text=True).stdout
            return [line.split("\t")[0] for line in lines.splitlines()]

        self.assertEqual(offered("isofold red"), ["reduce"])
        self.assertEqual(offered("isofold reduce --fold sum_"), ["sum_with_bound"])
        self.assertEqual(offered("isofold reduce --fold sum,minm"), ["sum,minmax"])
        self.assertEqual(offered("isofold reduce --acc"), ["--accumulator"])
        self.assertEqual(offered("isofold completion z"), ["zsh"])

    def test_bad_shell(self):
        self.refuse(BAD_INPUT, ["'bsh'", "did you mean bash?"], "completion", "bsh")


class Manual(ProgramTest):
    def test_has_every_command_and_option(self):
        page = self.succeed("manual")
        for command in COMMANDS:
            section = page[page.index(f".SS isofold {command}\n"):].replace("\\-", "-")
            section = section[:section.find("\n.SS ", 1)]
            for option in options_of(command):
                self.assertIn(f"\\fB{option}\\fR", section)

    @unittest.skipUnless(shutil.which("man") and shutil.which("groff"), "no man here")
    def test_man_reads_it(self):
        page = self.file(run("manual").stdout, "isofold.1")
        shown = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-P", "cat", "-l", str(page)],
                               env={"MANWIDTH": "80", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"},
                               capture_output=True, text=True)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertIn("isofold reduce x.npy --fold sum,min,max,mean\n", shown.stdout)


class Lists(ProgramTest):
    def test_folds(self):
        table = self.succeed("reduce", "--fold", "help")
        self.assertRegex(table, r"\ndot +2 +f32, f64, f16, bf16, c64, c128\n")
        self.assertRegex(table, r"\ncount_in_range .*needs --range\n")

    def test_other_names(self):
        self.assertEqual(self.succeed("reduce", "--guarantee", "help").split(), ["same_bits", "within_bound"])
        self.assertIn("c128", self.succeed("bench", "--type", "help").split())


if __name__ == "__main__":
    unittest.main()

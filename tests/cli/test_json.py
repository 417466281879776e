"""Every command's JSON is as docs/isofold.schema.json says."""

import json
import struct
import unittest

from support import DIFFERENCE, HERE, PLANTED, ProgramTest, npy_of, run

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = json.loads((HERE.parent.parent / "docs" / "isofold.schema.json").read_text())


@unittest.skipUnless(jsonschema, "needs python3-jsonschema")
class Schema(ProgramTest):
    def check(self, command, text):
        out = json.loads(text)
        rules = {"$ref": f"#/$defs/{command}", "$defs": SCHEMA["$defs"]}
        jsonschema.Draft202012Validator(rules).validate(out)
        jsonschema.Draft202012Validator(SCHEMA).validate(out)
        return out

    def test_the_schema_is_one(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_what_is_not_documented_is_found(self):
        out = self.check("info", self.succeed("info", "--json"))
        for wrong in ({**out, "new": 1}, {k: v for k, v in out.items() if k != "version"}):
            with self.assertRaises(jsonschema.ValidationError):
                self.check("info", json.dumps(wrong))

    def test_reduce(self):
        field = self.file(npy_of("f32", "(2, 3)", struct.pack("<6f", 1, 2, float("nan"), float("inf"), -0.0, 5)))
        complexes = self.file(npy_of("c64", "(2,)", struct.pack("<4f", 1, 2, 3, 4)), "c.npy")
        for arguments in ((field,), (field, "--rows", "--fold", "sum"), (field, "--box", ":", "--fold", "sum"),
                          (field, "--axis", "0", "--fold", "sum,argmin,any,minmax"), (complexes, "--fold", "sum"),
                          (field, "--box", "0", "--fold", "sum,count_nan"), (complexes,),
                          (field, "--skip-nan"), (complexes, "--skip-nan"), (field, "--skip-nan", "--fold", "sum"),
                          (field, "--accumulator", "f64"), (field, "--fold", "sum", "--accumulator", "f64")):
            with self.subTest(arguments=arguments):
                self.check("reduce", self.succeed("reduce", *arguments, "--json"))
        # A summary has its position, and it is documented.
        out = self.check("reduce", self.succeed("reduce", field, "--json"))
        self.assertEqual(out["results"][-1]["position"], [0, 2])

    def test_verify(self):
        for command, extra in (("verify", ("--fold", "sum,argmin")), ("verify_tree", ("--tree",))):
            self.check(command, self.succeed("verify", "--quick", "--json", "--backend", "reference", *extra))

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_failures(self):
        env = {"LD_PRELOAD": PLANTED, "PLANTED_FAULT": "bits"}
        for command, *arguments in (("verify", "verify", "--quick", "--fold", "sum"),
                                    ("verify_tree", "verify", "--quick", "--tree"), ("fuzz", "fuzz", "--cases", 200)):
            result = run(*arguments, "--backend", "reference", "--json", env=env)
            self.assertEqual(result.returncode, DIFFERENCE, result.stderr)
            self.check(command, result.stdout)

    def test_fuzz_and_bench(self):
        self.check("fuzz", self.succeed("fuzz", "--backend", "reference", "--cases", 5, "--json"))
        lines = self.succeed("bench", "--backend", "reference", "--count", "1e3", "--seconds", "0.001", "--fold", "sum",
                             "--json")
        for line in lines.splitlines():
            self.check("bench", line)

    def test_diff_and_fingerprint(self):
        one = self.file(npy_of("c64", "(2,)", struct.pack("<4f", 1, 2, 3, 4)), "a.npy")
        other = self.file(npy_of("c64", "(2,)", struct.pack("<4f", 1, 2, 3, 5)), "b.npy")
        self.check("diff", self.succeed("diff", one, one, "--json"))
        self.check("diff", run("diff", one, other, "--json").stdout)
        mark = self.folder / "a.fingerprint"
        self.check("fingerprint", self.succeed("fingerprint", one, "-o", mark, "--json"))
        self.check("diff", run("diff", mark, other, "--json").stdout)


if __name__ == "__main__":
    unittest.main()

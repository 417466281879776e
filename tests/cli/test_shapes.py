"""isofold reduce --axis, --box, --mask and --segments: the bits of the packed elements, and what is refused."""

import itertools
import json
import math
import random
import struct
import unittest

from support import (BAD_INPUT, DESCR, DEVICE_BACKENDS, FAILED, PLANTED, UNAVAILABLE, ProgramTest, available_backends,
                     data_of, header_text, npy, npy_of)

HOST = [name for name in ("reference", "openmp") if name in available_backends()]
# Each backend is asked about the types that it has.
ALL = HOST + [name for name in DEVICE_BACKENDS if name in available_backends()]
FOLDS = {"f32": "sum,argmin,mean", "f64": "sum,argmax,norm2", "i32": "sum,argmin", "u8": "sum,argmax,any",
         "f16": "sum,argmin"}


def shape_text(extents):
    return "(" + "".join(f"{extent}, " for extent in extents) + ")"


def content(type_name, count, seed=0):
    if type_name == "u8":
        return random.Random(seed).randbytes(count)
    if type_name == "f16":
        return struct.pack(f"<{count}e", *struct.unpack(f"<{count}f", data_of("f32", count, seed=seed)))
    return data_of(type_name, count, seed=seed)


def elements(type_name, count, seed=0):
    data, size = content(type_name, count, seed), int(DESCR[type_name][-1])
    return [data[i:i + size] for i in range(0, len(data), size)]


def strides_of(extents):
    return [math.prod(extents[d + 1:]) for d in range(len(extents))]


class Instance:
    """A box of an array, as Python's own slices and loops have it."""

    def __init__(self, extents, slices, axes=None, mask=None):
        texts = slices.split(",") + [":"] * (len(extents) - slices.count(",") - 1)
        first, self.offsets = 0, []  # of the elements at the indices of each dimension that is left
        for extent, stride, text in zip(extents, strides_of(extents), texts):
            if ":" in text:
                ends = [int(part) if part else None for part in text.split(":")]
                self.offsets.append([i * stride for i in range(extent)[slice(*ends)]])
            else:
                first += range(extent)[int(text)] * stride
        self.first, self.mask = first, mask
        self.extents = [len(offsets) for offsets in self.offsets]
        numbers = range(len(self.extents))
        self.axes = set(numbers if axes is None else [numbers[axis] for axis in axes])
        self.kept = [self.extents[d] for d in numbers if d not in self.axes]

    def rows(self):
        """The numbers of the elements of each result."""
        rows = {index: [] for index in itertools.product(*map(range, self.kept))}
        for number, index in enumerate(itertools.product(*map(range, self.extents))):
            if self.mask is None or self.mask[number]:
                row = tuple(i for d, i in enumerate(index) if d not in self.axes)
                rows[row].append(self.first + sum(o[i] for o, i in zip(self.offsets, index)))
        return list(rows.values())


class ShapeTest(ProgramTest):
    def reduce(self, *arguments, **settings):
        return json.loads(self.succeed("reduce", *arguments, "--json", **settings))

    def all_bits(self, *arguments, **settings):
        """A list of results for each fold."""
        out = self.reduce(*arguments, **settings)
        return [result["bits"] for result in out.get("results", [out])]

    def expected(self, type_name, arrays, rows, folds):
        """Each row's elements as a row of a plain file; rows of one length together."""
        bits = [[None] * len(rows) for _ in folds.split(",")]
        for length in set(map(len, rows)):
            numbers = [i for i, row in enumerate(rows) if len(row) == length]
            files = [self.file(npy_of(type_name, (len(numbers), length),
                                      b"".join(array[e] for i in numbers for e in rows[i])), f"packed{a}.npy")
                     for a, array in enumerate(arrays)]
            for own, packed in zip(bits, self.all_bits(*files, "--rows", "--fold", folds, "--backend", "reference")):
                for i, result in zip(numbers, packed):
                    own[i] = result
        return bits

    def array(self, type_name, extents, name="x.npy", seed=0):
        return self.file(npy_of(type_name, shape_text(extents), content(type_name, math.prod(extents), seed)), name)

    def mask(self, extents, entries, descr="|b1"):
        return self.file(npy(header_text(descr, shape_text(extents)), bytes(entries)), "mask.npy")

    def offsets(self, numbers, descr="<i8"):
        packed = struct.pack(f"{descr[0]}{len(numbers)}{ {'i4': 'i', 'i8': 'q', 'u8': 'Q'}[descr[1:]] }", *numbers)
        return self.file(npy(header_text(descr, f"({len(numbers)},)"), packed), "offsets.npy")


class Boxes(ShapeTest):
    def check(self, type_name, extents, slices=None, axes=None, mask=None, backend=HOST[-1], pair=False, piped=False):
        instance = Instance(extents, slices or ":", axes, mask)
        rows = instance.rows()
        folds = "dot,squared_distance" if pair else FOLDS[type_name] if any(rows) else "sum"
        paths = [self.array(type_name, extents, f"x{seed}.npy", seed) for seed in range(2 if pair else 1)]
        arrays = [elements(type_name, math.prod(extents), seed) for seed in range(len(paths))]
        options = ["--box", slices] if slices is not None else []
        options += ["--axis", ",".join(map(str, axes))] if axes is not None else []
        if mask is not None:
            options.append("--packed-index")  # as in files of the elements that are taken
            options += ["--mask", self.mask(instance.extents, mask, "|u1" if 255 in mask else "|b1")]
        stdin = paths[0].read_bytes() if piped else b""
        paths[0] = "-" if piped else paths[0]
        with self.subTest(type=type_name, extents=extents, options=options, backend=backend, pair=pair, piped=piped):
            out = self.reduce(*paths, "--fold", folds, "--backend", backend, *options, stdin=stdin)
            one = ["definition", "fold", "type", "result_type", "count", "shape", "backend", "value", "bits"]
            several = ["definition", "type", "count", "shape", "backend", "results"]
            self.assertEqual(list(out), several if "," in folds else one)
            self.assertEqual((out["shape"], out["count"]), (instance.kept, sum(map(len, rows))))
            self.assertEqual([result["bits"] for result in out.get("results", [out])],
                             self.expected(type_name, arrays, rows, folds))

    def test_every_choice_of_axes(self):
        extents = (3, 50, 4, 7)
        for number, kept in enumerate(itertools.product((False, True), repeat=4)):
            axes = [d if d % 2 else d - 4 for d in range(4) if not kept[d]]
            if axes:
                self.check("f32", extents, axes=axes, backend=HOST[number % len(HOST)])

    def test_slices(self):
        for slices in ("1:-1,1:-1,:", ":", "::-1,::-1,::-1", "::2,5,1::3", "-1", "2,-3,4", "1:1,:,:", "5:100,-100:3",
                       "-2:0:-1,1:", ":,:,-1:-4:-1", "::9223372036854775807,::-9223372036854775808"):
            for backend in ALL:
                self.check("f64", (6, 30, 17), slices, backend=backend)

    def test_axes_and_slices_in_brackets(self):
        """As Python writes them."""
        path = self.array("f64", (6, 30, 17))
        for one, other in ((("--axis", "0,2"), ("--axis", "(0, 2)")), (("--axis", "1"), ("--axis", "(1,)")),
                           (("--box", "1:,2"), ("--box", "[1:, 2]"))):
            self.assertEqual(self.succeed("reduce", path, "--fold", "sum", *other),
                             self.succeed("reduce", path, "--fold", "sum", *one))

    def test_random_instances(self):
        random.seed(20240607)
        for number in range(40):
            type_name = random.choice(list(FOLDS))
            extents = [random.choice((1, 2, 3, 5)) for _ in range(random.randint(1, 8))]
            extents[random.randrange(len(extents))] *= random.choice((1, 1, 7, 40))
            slices = None
            if random.random() < 0.7:
                slices = ",".join(self.random_slice(extent) for extent in extents[:random.randint(1, 8)])
            left = Instance(extents, slices or ":").extents
            axes = None
            if left and random.random() < 0.6:
                axes = [random.choice((d, d - len(left))) for d in range(len(left)) if random.random() < 0.6] or [0]
            mask = None
            if random.random() < 0.4:
                mask = [random.choice((0, 0, 1, 1, 255 if number % 2 else 1)) for _ in range(math.prod(left))]
            if axes is None and mask is None:
                slices = slices or ":"
            self.check(type_name, extents, slices, axes, mask, random.choice(HOST),
                       type_name in ("f32", "f64") and random.random() < 0.4, number % 4 == 0)

    def random_slice(self, extent):
        def end():
            return random.choice(("", str(random.randint(-extent - 2, extent + 2))))
        kind = random.random()
        if kind < 0.15:
            return str(random.randrange(-extent, extent))
        if kind < 0.3:
            return ":"
        return f"{end()}:{end()}" + random.choice(("", ":", ":1", ":2", ":-1", ":-3"))

    def test_more_than_eight_dimensions(self):
        """Contiguous neighbours are one dimension, and those of extent 1 are none."""
        extents = (2, 1, 3, 2, 1, 2, 2, 3, 1, 2, 3, 1)
        mask = [number % 3 > 0 for number in range(math.prod(extents))]
        for backend in ALL:
            for axes in (None, (0,), (-1, 0), tuple(range(6)), tuple(range(2, 12)), (2, 3, 4, 9, 10), (1, 4, 8, 11),
                         (0, 3, 6, 9), (0, 2, 3, 7, 9)):
                self.check("f64", extents, None if axes else ":", axes, backend=backend)
                self.check("f32", extents, None, axes, mask, backend=backend)
            self.check("f32", extents, "1,:,::-1,0:1", (3, 4), backend=backend)
            self.check("f32", extents, "1,:,1:1", (3, 4), mask=[], backend=backend)
        many = self.array("i32", (1,) * 40 + (3,) + (1,) * 20)
        self.assertEqual(self.reduce(many, "--fold", "sum", "--axis", "40")["shape"], [1] * 60)

    def test_everything_without_an_option(self):
        """As numpy's x.sum() and x.argmax(), whose index counts in row-major order."""
        for extents in ((), (1,), (2, 3), (4, 5, 6), (2,) * 12):
            count = math.prod(extents)
            flat = self.file(npy_of("f64", f"({count},)", content("f64", count)), "flat.npy")
            with self.subTest(extents=extents):
                path = self.array("f64", extents) if extents else self.file(npy_of("f64", "()", content("f64", 1)))
                self.assertEqual(self.reduce(path, "--fold", "sum,argmax"), self.reduce(flat, "--fold", "sum,argmax"))
                self.assertEqual(self.reduce(path, path, "--fold", "dot"), self.reduce(flat, flat, "--fold", "dot"))

    def test_masks_that_repeat(self):
        extents = (3, 4, 5)
        for own in ((5,), (4, 5), (1, 5), (4, 1), (3, 1, 5), (1, 1, 1), (1,), (), (3, 4, 1)):
            entries = [number % 3 != 1 for number in range(math.prod(own))]
            padded = (1,) * (3 - len(own)) + own
            indices = [[i if n > 1 else 0 for i, n in zip(index, padded)]
                       for index in itertools.product(*map(range, extents))]
            whole = [entries[sum(i * s for i, s in zip(index, strides_of(padded)))] for index in indices]
            path = self.array("f32", extents)
            for axis in ((), ("--axis", "1"), ("--axis", "0,2")):
                with self.subTest(mask=own, axis=axis):
                    common = (path, "--fold", "sum,count_nonzero", *axis)
                    wanted = self.reduce(*common, "--mask", self.mask(extents, whole))
                    for option in ("--mask", "--where"):
                        self.assertEqual(self.reduce(*common, option, self.mask(own, entries)), wanted)
        empty = self.array("f32", (0, 3), "empty.npy")
        self.assertEqual(self.reduce(empty, "--fold", "sum", "--where", self.mask((1, 3), [1] * 3))["value"], [0])

    def test_an_index_is_that_in_the_array(self):
        path = self.file(npy_of("i32", "(2, 3)", struct.pack("<6i", 9, 1, 2, 3, 8, 5)))
        mask = self.mask((2, 3), [0, 1, 1, 0, 1, 1])
        for backend in ALL:
            argmax = lambda *options: self.succeed("reduce", path, "--fold", "argmax", "--backend", backend, *options)
            with self.subTest(backend=backend):
                self.assertEqual(argmax("--where", mask), "8 4\n")
                self.assertEqual(argmax("--where", mask, "--axis", "1"), "2 2\n8 1\n")
                self.assertEqual(argmax("--where", mask, "--packed-index"), "8 2\n")
                self.assertEqual(argmax("--where", mask, "--axis", "1", "--packed-index"), "2 1\n8 0\n")
        self.assertEqual(self.succeed("reduce", path, "--fold", "argmax", "--box", ":,1:"), "8 2\n")

    def test_nans_are_skipped(self):
        nan = float("nan")
        values = (nan, 1.5, nan, -2.0, 0.25, nan)
        path = self.file(npy_of("f64", "(2, 3)", struct.pack("<6d", *values)))
        for backend in ALL:
            with self.subTest(backend=backend):
                reduce = lambda *options: self.succeed("reduce", path, "--backend", backend, "--skip-nan", *options)
                self.assertEqual(reduce("--fold", "sum,count_nan"), "sum -0.25\ncount_nan 0\n")
                self.assertEqual(reduce("--fold", "maximum", "--axis", "1"), "1.5\n0.25\n")
                self.assertEqual(reduce("--fold", "argmin"), "-2.0 3\n")
                self.assertEqual(reduce("--fold", "argmin", "--packed-index"), "-2.0 1\n")
                mask = self.mask((2, 3), [1, 1, 1, 0, 1, 1])
                self.assertEqual(reduce("--fold", "sum", "--mask", mask), "1.75\n")
        self.refuse(2, "maximum of no elements", "reduce", path, "--skip-nan", "--box", "0,0:1", "--fold", "maximum")

    def test_masks_of_long_rows(self):
        random.seed(5)
        extents = (2, 9000)
        mask = [random.random() < 0.5 for _ in range(18000)]
        for backend in ALL:
            self.check("f64", extents, mask=mask, backend=backend)
            self.check("f32", extents, axes=[-1], mask=mask, backend=backend, pair=True)

    def test_two_arrays_that_are_rows(self):
        for extents, axes in (((1, 2, 200), [0]), ((3, 2000), [1]), ((1, 1), None)):
            self.check("f32", extents, None if axes else ":", axes, pair=True)

    def test_a_mask_that_leaves_nothing_of_some_results(self):
        self.check("f32", (3, 4), axes=[1], mask=[1, 0, 0, 1] + 4 * [0] + 4 * [1])

    def test_no_elements(self):
        path = self.array("f32", (3, 0, 2))
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum", "--box", ":"), "0.0\n")
        self.refuse(BAD_INPUT, ["minimum", "no elements"], "reduce", path, "--fold", "min", "--box", ":")
        self.assertEqual(self.succeed("reduce", path, "--fold", "min", "--axis", "1,2"), "inf\n" * 3)
        self.assertEqual(self.reduce(path, "--fold", "min", "--axis", "0")["shape"], [0, 2])
        # Both slices begin beside the array, where the sum of their offsets has no 64 bits.
        path = self.file(npy_of("u8", f"(0, 1, {2**62})", b""), "long.npy")
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum", "--box", f":,1:,{2**62}:"), "0\n")

    def test_more_results_than_bytes_can_be_counted(self):
        path = self.file(npy_of("f32", f"({2**60}, 0)", b""))
        mask = self.file(npy(header_text("|b1", f"({2**60}, 0)")), "mask.npy")
        self.refuse(FAILED, ["memory"], "reduce", path, "--fold", "argmax", "--rows")
        for options in ((), ("--mask", mask)):
            self.refuse(BAD_INPUT, ["overflow"], "reduce", path, "--fold", "argmax", "--axis", "1", *options)

    def test_one_result_is_a_list_of_one(self):
        path = self.file(npy_of("i32", "(2, 3)", struct.pack("<6i", *range(6))))
        for options in (("--axis", "0,1"), ("--axis=-1,-2"), ("--box", ":"), ("--mask", self.mask((2, 3), 6 * [1]))):
            options = (options,) if isinstance(options, str) else options
            out = self.reduce(path, "--fold", "sum", *options)
            self.assertEqual((out["shape"], out["value"], out["count"]), ([], [15], 6))
        self.assertEqual(self.reduce(path, "--fold", "sum", "--box", "1,2")["value"], [5])
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum,max", "--axis", "0"),
                         "sum 3\nsum 5\nsum 7\nmaximum 3\nmaximum 4\nmaximum 5\n")

    def test_a_picked_index_takes_its_dimension_away(self):
        path = self.file(npy_of("i32", "(2, 3)", struct.pack("<6i", *range(6))))
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum", "--box", "1", "--axis", "0"), "12\n")
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum", "--box", ":,-1", "--axis", "0"), "7\n")
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum", "--box", "1", "--mask",
                                      self.mask((3,), [1, 0, 2], "|u1")), "8\n")
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum", "--box", "1,2", "--mask", self.mask((), [1])),
                         "5\n")

    def test_an_ellipsis_stands_for_the_dimensions_that_are_left(self):
        path = self.array("f32", (3, 4, 5, 6))
        for written, meant in (("...", ":"), ("...,0", ":,:,:,0"), ("0,...", "0"), ("1,...,2:", "1,:,:,2:"),
                               ("..., 1, ::2", ":,:,1,::2"), ("0,1,...,2,3", "0,1,2,3"), ("1,2,3,4,...", "1,2,3,4")):
            with self.subTest(box=written):
                one, other = (self.reduce(path, "--fold", "sum,argmax", "--box", box) for box in (written, meant))
                self.assertEqual(one, other)
        self.assertEqual(self.reduce(path, "--fold", "sum", "--box", "...,0", "--axis", "0, 2")["shape"], [4])
        line = self.array("f32", (7,), "line.npy")
        self.assertEqual(self.all_bits(line, "--fold", "sum", "--box", "...,2:"),
                         self.all_bits(line, "--fold", "sum", "--box", "2:"))

    def test_a_single_element_has_every_selection(self):
        path = self.file(npy_of("f32", "()", struct.pack("<f", 7)))
        for options in (("--box", "..."), ("--skip-nan",), ("--mask", self.mask((), [1])), ("--where", self.mask((), [1]))):
            out = self.reduce(path, "--fold", "sum", *options)
            self.assertEqual((out["shape"], out["value"], out["count"]), ([], [7.0], 1))
        self.assertEqual(self.reduce(path, "--fold", "sum", "--mask", self.mask((), [0]))["value"], [0.0])
        raw = self.file(struct.pack("<f", 7), "x.bin")
        self.assertEqual(self.reduce(raw, "--type", "f32", "--fold", "sum", "--box", "...")["value"], [7.0])

    def test_every_way_in(self):
        data = data_of("f64", 3000)
        path = self.file(npy_of("f64", "(3000,)", data))
        raw = self.file(data, "x.bin")
        expected = self.all_bits(path, "--fold", "sum", "--box", "::-3")
        typed = ("--type", "f64", "--fold", "sum", "--box", "::-3")
        self.assertEqual(self.all_bits(raw, *typed), expected)
        self.assertEqual(self.all_bits("-", *typed, stdin=data), expected)
        self.assertEqual(self.all_bits("-", raw, *typed[:3], "dot", *typed[4:], stdin=data),
                         self.all_bits(path, path, "--fold", "dot", "--box", "::-3"))
        for pad in range(8):
            misaligned = self.file(npy(header_text("<f8", "(3000,)") + " " * pad, data))
            self.assertEqual(self.all_bits(misaligned, "--fold", "sum", "--box", "::-3"), expected)
        mask = self.mask((3000,), 1500 * [1, 0])
        masked = self.all_bits(path, "--fold", "sum", "--mask", mask)
        self.assertEqual(self.all_bits(path, "--fold", "sum", "--mask", "-", stdin=mask.read_bytes()), masked)
        self.assertEqual(masked, self.all_bits(path, "--fold", "sum", "--box", "::2"))

    def test_a_pipe_longer_than_the_first_room_for_it(self):
        count = 700000  # 2.7 MiB: the room of 1 MiB grows twice
        data = struct.pack(f"<{count}i", *range(count))
        for box, expected in ((":", count * (count - 1) // 2), ("262143:262145", 262143 + 262144),
                              ("-1:", count - 1)):
            self.assertEqual(self.succeed("reduce", "-", "--type", "i32", "--fold", "sum", "--box", box, stdin=data),
                             f"{expected}\n")

    def test_a_range(self):
        path = self.file(npy_of("i32", "(2, 3)", struct.pack("<6i", *range(6))))
        self.assertEqual(self.succeed("reduce", path, "--fold", "count_in_range", "--range", "2,4", "--axis", "0"),
                         "1\n1\n1\n")

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_boxes_that_are_rows_on_a_device(self):
        env = {"LD_PRELOAD": PLANTED, "PLANTED_FAULT": "device", "PLANTED_LOG": str(self.folder / "largest")}
        paths = [self.array("f32", (7, 300, 4), f"x{seed}.npy", seed) for seed in (0, 1)]
        for options in (("--axis", "1,2"), ("--box", "2:5", "--axis=-2,-1"), ("--box", ":"), ("--box", "1:3")):
            with self.subTest(options=options):
                common = (*paths, "--fold", "dot,squared_distance", "--backend", "reference", *options)
                self.assertEqual(self.reduce(*common, env=env), self.reduce(*common))
                self.assertEqual((self.folder / "largest").read_text(), f"{7 * 300 * 4 * 4}\n")


class Segments(ShapeTest):
    def test_each_has_the_bits_of_its_elements_alone(self):
        random.seed(11)
        for type_name, count in (("f32", 20000), ("f64", 500), ("u8", 3000)):
            path, x = self.array(type_name, (count,)), elements(type_name, count)
            cuts = sorted(random.randint(0, count) for _ in range(9))
            for numbers in ([0, count], [3, 3, 3], cuts[:5] + cuts[4:], [0] + cuts + [count]):
                rows = [range(begin, end) for begin, end in zip(numbers, numbers[1:])]
                expected = self.expected(type_name, [x], rows, "sum,argmax")
                backends = ALL if type_name[0] == "f" else HOST
                for descr, backend in itertools.product(("<i4", "<i8", "<u8"), backends):
                    with self.subTest(type=type_name, offsets=numbers, descr=descr, backend=backend):
                        out = self.reduce(path, "--fold", "sum,argmax", "--backend", backend, "--packed-index",
                                          "--segments", self.offsets(numbers, descr))
                        self.assertEqual((out["shape"], out["count"]), ([len(rows)], numbers[-1] - numbers[0]))
                        self.assertEqual([result["bits"] for result in out["results"]], expected)

    def test_two_arrays_and_pipes(self):
        numbers = [10, 40, 40, 3000]
        rows = [range(begin, end) for begin, end in zip(numbers, numbers[1:])]
        paths = [self.array("f64", (3000,), f"x{seed}.npy", seed) for seed in (0, 1)]
        arrays = [elements("f64", 3000, seed) for seed in (0, 1)]
        offsets = self.offsets(numbers)
        expected = self.expected("f64", arrays, rows, "dot")
        self.assertEqual(self.all_bits(*paths, "--fold", "dot", "--segments", offsets), expected)
        self.assertEqual(self.all_bits("-", paths[1], "--fold", "dot", "--segments", offsets,
                                       stdin=paths[0].read_bytes()), expected)
        self.assertEqual(self.all_bits(*paths, "--fold", "dot", "--segments", "-", stdin=offsets.read_bytes()),
                         expected)
        self.assertEqual(self.all_bits("-", "--type", "f64", "--fold", "sum", "--segments", offsets,
                                       stdin=data_of("f64", 3000)), self.expected("f64", arrays[:1], rows, "sum"))

    def test_none_and_of_nothing(self):
        empty = self.array("f32", (0,))
        self.assertEqual(self.succeed("reduce", empty, "--fold", "sum", "--segments", self.offsets([0, 0, 0])),
                         "0.0\n0.0\n")
        out = self.reduce(empty, "--fold", "sum", "--segments", self.offsets([0]))
        self.assertEqual((out["shape"], out["value"]), ([0], []))


class Refusals(ShapeTest):
    def refuse_each(self, path, *cases):
        for words, *options in cases:
            with self.subTest(options=options):
                self.refuse(BAD_INPUT, words, "reduce", path, "--fold", "sum", *options)

    def test_numbers_of_dimensions(self):
        self.refuse_each(self.file(npy_of("f32", "()", bytes(4))), (["1 slice,", "0 dimensions", "..."], "--box", ":"),
                         (["1 slice,", "0 dimensions"], "--box", "...,0"), (["have none"], "--axis", "0"))
        self.refuse_each(self.array("f32", (2, 3, 4)), (["3 dimensions", "--axis"], "--rows"))
        many = self.array("f32", (2,) * 9)
        self.refuse_each(many, (["9 dimensions", "up to 8", "np.moveaxis"], "--axis", "0,2,4,6,8"),
                         (["9 dimensions", "up to 8"], "--box", ",".join(["::-1"] + ["::-1", ":"] * 4), "--axis",
                          "1,3,5,7"), (["dimension 9 of 9"], "--axis", "9"), (["'-10'"], "--axis=-10"))

    def test_axes(self):
        self.refuse_each(self.array("f32", (2, 3, 4)),
                         (["'3'", "dimension 3 of 3"], "--axis", "3"), (["-4"], "--axis=-4"),
                         (["twice"], "--axis", "0,0"), (["-1", "twice"], "--axis", "2,-1"),
                         (["'x'", "no integer"], "--axis", "x"), (["''"], "--axis", "0,"), (["''"], "--axis", ""),
                         (["'1.0'"], "--axis", "1.0"), (["99999999999999999999"], "--axis", "99999999999999999999"),
                         (["dimension 2 of 2"], "--axis", "2", "--box", "0"),
                         (["have none"], "--axis", "0", "--box", "0,0,0"))

    def test_slices(self):
        self.refuse_each(self.array("f32", (2, 3)),
                         (["3 slices", "2 dimensions"], "--box", ":,:,:"), (["step of 0"], "--box", "::0"),
                         (["'2'", "dimension 0", "extent 2", "index"], "--box", "2"),
                         (["'-4'", "dimension 1"], "--box", ":,-4"), (["4 parts"], "--box", "1:2:3:4"),
                         (["'a'", "no integer"], "--box", "a:2"), (["''"], "--box", "1:,"), (["''"], "--box", ""),
                         (["'1 2'"], "--box", "1 2"), (["2 ellipses"], "--box", "...,1,..."),
                         (["3 slices", "2 dimensions"], "--box", "0,...,0,0"), (["'..'"], "--box", "..,0"),
                         (["9223372036854775808"], "--box", "9223372036854775808:"))

    def test_masks(self):
        path = self.array("f32", (2, 3))
        for extents in ((3, 2), (6,), (2,), (2, 3, 1), (1, 2, 3), (0, 3), (2, 2)):
            self.refuse_each(path, (["mask.npy", shape_text(extents)[:-3], "(2, 3)"], "--mask",
                                    self.mask(extents, math.prod(extents) * [1])))
        self.refuse_each(path, (["(1, 3)", "(2, 3)", "broadcasts"], "--box", "1:", "--mask",
                                self.mask((2, 3), 6 * [1])))
        for descr in ("|i1", "<u2", "<f4", "|O"):
            self.refuse_each(path, (["mask.npy", descr, "|b1", "|u1"], "--mask", self.mask((2, 3), bytes(24), descr)))
        self.refuse_each(path, (["truncated"], "--mask", self.mask((2, 3), 5 * [1])),
                         (["no .npy", "masks"], "--mask", self.file(bytes(6), "raw")),
                         (["0 bytes", "masks"], "--mask", self.file(b"", "empty")),
                         (["No such file", "missing"], "--mask", self.folder / "missing"))

    def test_offsets(self):
        path = self.array("f32", (10,))
        for words, numbers in ((["from 0 to 11", "10 elements"], [0, 11]), (["from -1 to 3"], [-1, 3]),
                               (["from 5 to 4"], [5, 4]), (["Segment 1", "[7, 3)"], [0, 7, 3, 10]),
                               (["Segment 0", "[0, 12)"], [0, 12, 12, 10]), (["no offset"], []),
                               (["from 0 to -2147483648"], [0, -2**31])):
            for descr in ("<i4", "<i8"):
                self.refuse_each(path, (words, "--segments", self.offsets(numbers, descr)))
        for words, numbers, descr in ((["from 0 to 18446744073709551615"], [0, 2**64 - 1], "<u8"),
                                      (["from 9223372036854775808 to 3"], [2**63, 3], ">u8"),
                                      (["Segment 0", "[0, 9223372036854775813)"], [0, 2**63 + 5, 10], "<u8")):
            self.refuse_each(path, (words, "--segments", self.offsets(numbers, descr)))
        empty = self.array("f32", (0,), "empty.npy")
        self.refuse_each(empty, (["from 0 to 1", "0 elements"], "--segments", self.offsets([0, 1])))
        self.refuse_each(empty, (["Segment 1"], "--segments", self.offsets([0, 9, 0])))
        for descr in ("<f8", "|b1", "<i3"):
            self.refuse_each(path, (["offsets.npy", descr, "<i8"], "--segments",
                                    self.file(npy(header_text(descr, "(2,)"), bytes(16)), "offsets.npy")))
        self.refuse_each(path, (["2 dimensions", "1-D"], "--segments",
                                self.file(npy_of("i64", "(1, 2)", bytes(16)), "offsets.npy")))
        self.refuse_each(self.array("f32", (2, 3)), (["2 dimensions", "--segments", "1-D"], "--segments",
                                                     self.offsets([0, 3])))

    def test_options_that_do_not_go_together(self):
        path = self.array("f32", (2, 3))
        offsets = self.offsets([0, 3])
        for options in (("--axis", "1"), ("--box", ":"), ("--mask", "m.npy"), ("--segments", offsets)):
            self.refuse_each(path, (["--rows", options[0]], "--rows", *options),
                             (["--block-bytes", options[0]], "--block-bytes", "1MiB", *options))
            if options[0] != "--segments":
                self.refuse_each(path, (["--segments", options[0]], "--segments", offsets, *options))
        for option in ("--mask", "--segments"):
            self.refuse(BAD_INPUT, ["Standard input"], "reduce", "-", "--fold", "sum", option, "-")

    def test_two_arrays_of_different_shapes(self):
        paths = [self.array("f32", extents, f"{i}.npy") for i, extents in enumerate(((2, 3), (3, 2)))]
        self.refuse(BAD_INPUT, ["(2, 3)", "(3, 2)", "same shape"], "reduce", *paths, "--fold", "dot", "--axis", "0")
        self.refuse(BAD_INPUT, ["ends before"], "reduce", "-", self.file(bytes(12), "y.bin"), "--type", "f32",
                    "--fold", "dot", "--box", ":", stdin=bytes(8))

    def test_backends_that_have_arrays_and_rows_only(self):
        path = self.array("f32", (2, 3))
        for backend in set(available_backends()) - set(HOST) - set(DEVICE_BACKENDS):
            with self.subTest(backend=backend):
                self.refuse(UNAVAILABLE, [backend, "neither an array nor rows"], "reduce", path, "--fold", "sum",
                            "--axis", "0", "--backend", backend)
        for backend in DEVICE_BACKENDS:
            if backend not in available_backends():
                self.refuse(UNAVAILABLE, [backend, "not available"], "reduce", path, "--fold", "sum", "--axis", "0",
                            "--backend", backend)


if __name__ == "__main__":
    unittest.main()

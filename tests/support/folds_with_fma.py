"""Kernels whose folds say fma or divide: the only ones in which machine code may have it.

Names are mangled or demangled ones. A division by IEEE 754 and a square root are sequences of
fused operations in machine code; in PTX they are one instruction each.

A kernel for several folds (ReduceFusedOps) holds all of them, those that say fma too. That sums in it are
not contracted is seen in the kernels of one fold, compiled from the same code with the same options,
and by their bits.
"""
import re

FOLDS = (r"(?:Dot|SquaredDistance|WeightedSum|Norm2|Norm2ByHalves|MomentsBase|AllMoments|ExponentialSum"
         r"|Complex(?:Dot|SquaredDistance|Norm1|Norm2|AbsoluteMaximum))")
SAYS_FMA = re.compile(rf"\d{FOLDS}I|\b{FOLDS}<"
                      r"|BoundedSumI[fd]LNS\w*BoundedKindE1E|BoundedSum<\w+, \(?[\w:]*BoundedKind\)?1>"
                      r"|\bReduceFusedOps<|\dReduceFusedOpsI")
DIVIDES = re.compile(r"BoundedSum|MomentsBase|ReduceFusedOps")
# Square roots of f32, whose scaling and special cases nvcc makes of flushing instructions: no subnormal reaches
# those.
TAKES_ROOT = re.compile(r"Complex(Norm1|AbsoluteMaximum)(I11isofold_c64|<isofold_c64)"
                        r"|ReduceFusedOps(I\w*|<.*)isofold_c64")

# A recipe for Spack, which nobody has run with Spack yet; packaging/recipes_by_hand makes its calls of CMake.
from spack.package import *


class Isofold(CMakePackage, CudaPackage):
    """Reductions with the same bits on every backend: threads, vector widths, GPUs, MPI ranks."""

    license("Apache-2.0")

    version("1.0.0")  # url and sha256 are those of the release's archive

    variant("openmp", default=True, description="the backend of CPU threads")
    variant("fortran", default=True, description="the module for the Fortran compiler")
    variant("cli", default=True, description="the program isofold")
    variant("shared", default=True, description="a shared library, and modules of GPU backends")

    depends_on("c", type="build", when="+fortran")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.20:", type="build")
    depends_on("cli11", type="build", when="+cli")
    depends_on("nlohmann-json", type="build", when="+cli")
    depends_on("zlib-api", when="+cli")

    conflicts("%gcc@:11", when="+fortran", msg="gfortran has Fortran 2018's descriptors from 12 on")

    def cmake_args(self):
        on = lambda condition: "ON" if self.spec.satisfies(condition) else "OFF"
        arguments = [
            self.define("ISOFOLD_ENABLE_OPENMP", on("+openmp")),
            self.define("ISOFOLD_ENABLE_CUDA", on("+cuda")),
            self.define("ISOFOLD_ENABLE_HIP", "OFF"),
            self.define("ISOFOLD_ENABLE_KOKKOS", "OFF"),
            self.define("ISOFOLD_BUILD_FORTRAN", on("+fortran")),
            self.define_from_variant("ISOFOLD_BUILD_CLI", "cli"),
            self.define_from_variant("ISOFOLD_BUILD_SHARED", "shared"),
            self.define("ISOFOLD_BUILD_TESTS", self.run_tests),
            self.define("ISOFOLD_WARNINGS_AS_ERRORS", False),
        ]
        if self.spec.satisfies("+cuda"):
            arguments.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return arguments

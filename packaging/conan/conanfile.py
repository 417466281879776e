"""The library for Conan 2, with the backends of the CPU: conan create packaging/conan --no-remote."""
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"


class IsofoldConan(ConanFile):
    name = "isofold"
    license = "Apache-2.0"
    description = "Reductions with the same bits on every backend"
    topics = ("reduction", "reproducibility", "floating-point", "hpc")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    # cases: a CMake file that leaves cases of the library out, for quick trials of this recipe alone.
    options = {"shared": [True, False], "fPIC": [True, False], "openmp": [True, False], "cases": ["", "ANY"]}
    default_options = {"shared": True, "fPIC": True, "openmp": True, "cases": ""}
    implements = ["auto_shared_fpic"]

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        line = next(line for line in load(self, os.path.join(self._root, "CMakeLists.txt")).splitlines()
                    if line.startswith("project("))
        self.version = line.split()[2]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*", "backends/*"):
            copy(self, pattern, src=self._root, dst=self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 17)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.variables["ISOFOLD_BUILD_SHARED"] = bool(self.options.shared)
        toolchain.variables["ISOFOLD_ENABLE_OPENMP"] = "ON" if self.options.openmp else "OFF"
        for backend in ("CUDA", "HIP", "KOKKOS"):
            toolchain.variables[f"ISOFOLD_ENABLE_{backend}"] = "OFF"
        for part in ("CLI", "TESTS", "FORTRAN"):
            toolchain.variables[f"ISOFOLD_BUILD_{part}"] = "OFF"
        toolchain.variables["ISOFOLD_WARNINGS_AS_ERRORS"] = "OFF"
        if self.options.cases:
            toolchain.variables["CMAKE_PROJECT_isofold_INCLUDE"] = str(self.options.cases)
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        # The package's own files of CMake have its components; Conan makes none beside them.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "isofold"))
        self.cpp_info.libs = ["isofold"]
        self.cpp_info.set_property("pkg_config_name", "isofold")
        if self.settings.os == "Linux" and not self.options.shared:
            self.cpp_info.system_libs = ["pthread", "dl", "m"]
            self.cpp_info.defines = ["ISOFOLD_STATIC"]

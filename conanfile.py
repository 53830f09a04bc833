# SPDX-License-Identifier: Apache-2.0
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.scm import Version

required_conan_version = ">=2.0"


class Sinter(ConanFile):
    name = "sinter"
    description = "Neural networks that the C++ compiler fuses"
    license = "Apache-2.0"
    topics = ("neural-networks", "machine-learning", "simd", "constexpr", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"with_json": [True, False], "with_npz": [True, False], "with_onnx": [True, False], "with_xtensor": [True, False]}
    default_options = {"with_json": False, "with_npz": False, "with_onnx": False, "with_xtensor": False, "boost/*:header_only": True}
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "test/*"
    no_copy_source = True

    def set_version(self):
        # The version stands once, in the header.
        text = load(self, f"{self.recipe_folder}/include/sinter/core/config.hpp")
        self.version = ".".join(re.findall(r"#define SINTER_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("boost/1.86.0")
        self.requires("xsimd/13.2.0")  # the pair that xtensor 0.27.1 pins
        if self.options.with_json:
            self.requires("nlohmann_json/3.11.3")
        if self.options.with_npz:
            self.requires("libzip/1.10.1")
        if self.options.with_onnx:
            self.requires("protozero/1.7.1")
        if self.options.with_xtensor:
            self.requires("xtensor/0.27.1")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.23]")
        if not self.conf.get("tools.build:skip_test", default=False):
            self.test_requires("catch2/3.15.3")

    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)
        oldest = {"gcc": "12", "clang": "16"}.get(str(self.settings.compiler))
        if oldest is None:
            raise ConanInvalidConfiguration(f"sinter is tested with GCC and Clang, not with {self.settings.compiler}")
        if Version(self.settings.compiler.version) < oldest:
            raise ConanInvalidConfiguration(f"sinter needs {self.settings.compiler} {oldest} or later")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SINTER_BUILD_TESTS"] = not self.conf.get("tools.build:skip_test", default=False)
        toolchain.cache_variables["SINTER_BUILD_EXAMPLES"] = False
        toolchain.cache_variables["SINTER_BUILD_BENCHMARKS"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        if not self.conf.get("tools.build:skip_test", default=False):
            cmake.build()
            cmake.ctest(["-L", "unit", "--output-on-failure"])

    def package(self):
        copy(self, "LICENSE", self.source_folder, f"{self.package_folder}/licenses")
        CMake(self).install()

    def package_info(self):
        # sinter's own package is used everywhere, so that its targets and components are the same for everyone.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["share/cmake/sinter"]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []

# SPDX-License-Identifier: Apache-2.0
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, get
from conan.tools.layout import basic_layout
from conan.tools.scm import Version

required_conan_version = ">=2.4"


class SinterConan(ConanFile):
    name = "sinter"
    description = "Neural networks that the C++ compiler fuses"
    license = "Apache-2.0"
    url = "https://github.com/conan-io/conan-center-index"
    homepage = "https://github.com/sinter-cpp/sinter"
    topics = ("neural-networks", "machine-learning", "simd", "onnx", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"with_json": [True, False], "with_npz": [True, False], "with_onnx": [True, False], "with_xtensor": [True, False]}
    default_options = {"with_json": False, "with_npz": False, "with_onnx": False, "with_xtensor": False}
    no_copy_source = True

    _modules = os.path.join("share", "cmake", "sinter")
    # Compilers that sinter is tested with; of others the recipe warns.
    _oldest = {"gcc": "12", "clang": "19"}

    def layout(self):
        basic_layout(self, src_folder="src")

    def requirements(self):
        self.requires("boost/1.86.0")  # Hana alone, which is headers: -o "boost/*:header_only=True"
        self.requires("xsimd/13.2.0")  # what xtensor/0.27.1 requires, too
        if self.options.with_json:
            self.requires("nlohmann_json/3.11.3")
        if self.options.with_npz:
            self.requires("libzip/1.11.4")
        if self.options.with_onnx:
            self.requires("protozero/1.7.1")
        if self.options.with_xtensor:
            self.requires("xtensor/0.27.1")

    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)
        compiler, version = str(self.settings.compiler), Version(self.settings.compiler.version)
        if compiler not in self._oldest:
            self.output.warning(f"sinter is tested with GCC and Clang, not with {compiler}")
        elif version < self._oldest[compiler]:
            raise ConanInvalidConfiguration(f"sinter needs {compiler} {self._oldest[compiler]} or later; this is {version}")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))
        copy(self, "*", os.path.join(self.source_folder, "cmake"), os.path.join(self.package_folder, self._modules),
             excludes=("*.in", "sinter-install.cmake", "sinter-development.cmake"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "sinter")
        # Conan's target for all components is not the one that users link: sinter::compiled, say, changes how their files are compiled.
        self.cpp_info.set_property("cmake_target_name", "sinter::all")
        self.cpp_info.set_property("pkg_config_name", "sinter-all")
        # The source of sinter::compiled and the definition that goes with it, sinter_add_model, and what Thrust, CUDA and cuDNN need, which no package brings along.
        self.cpp_info.set_property("cmake_build_modules", [os.path.join(self._modules, "sinter-packaged.cmake")])
        requires = {
            "sinter": ["boost::headers", "xsimd::xsimd"],
            "compiled": ["sinter"],
            "thrust": ["sinter"],
            "cuda": ["sinter"],
            "cudnn": ["cuda"],
            "json": ["sinter", "nlohmann_json::nlohmann_json"] if self.options.with_json else None,
            "npz": ["sinter", "libzip::libzip"] if self.options.with_npz else None,
            "onnx": ["sinter", "protozero::protozero"] if self.options.with_onnx else None,
            "xtensor": ["sinter", "xtensor::xtensor"] if self.options.with_xtensor else None,
        }
        for name, needs in requires.items():
            if needs is None:
                continue
            component = self.cpp_info.components[name]
            component.set_property("cmake_target_name", f"sinter::{name}")
            component.set_property("pkg_config_name", "sinter" if name == "sinter" else f"sinter-{name}")
            component.bindirs = component.libdirs = []
            component.requires = needs
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.components["sinter"].system_libs = ["pthread"]

# SPDX-License-Identifier: Apache-2.0
# The headers that this system has of one of sinter's dependencies, as a package under its true version and with the targets of the recipe of
# Conan Center: conan create test/package/conan --name xsimd
import pathlib
import re

from conan import ConanFile
from conan.tools.files import copy

SYSTEM = pathlib.Path("/usr/include")
# name, the header with its version, the headers' names, the target, those before it that it requires
PACKAGES = {
    "xtl": ("xtl/xtl_config.hpp", "xtl/*", "xtl", []),
    "nlohmann_json": ("nlohmann/detail/abi_macros.hpp", "nlohmann/*", "nlohmann_json::nlohmann_json", []),
    "boost": ("boost/version.hpp", "boost/*", "Boost::headers", []),
    "xsimd": ("xsimd/config/xsimd_config.hpp", "xsimd/*", "xsimd", ["xtl"]),
    "xtensor": ("xtensor/xtensor_config.hpp", "xtensor/*", "xtensor", ["xtl", "nlohmann_json"]),
    "protozero": ("protozero/version.hpp", "protozero/*", "protozero::protozero", []),
    "libzip": ("zipconf.h", "zip*.h", "libzip::zip", []),
}


def version_of(name):
    text = (SYSTEM / PACKAGES[name][0]).read_text()
    parts = re.findall(r"#define \w+_VERSION_(?:MAJOR|MINOR|PATCH|MICRO) (\d+)", text)
    return ".".join(parts) or "{}.{}.0".format(*re.search(r'BOOST_LIB_VERSION "(\d+)_(\d+)', text).groups())


class System(ConanFile):
    package_type = "header-library"

    def set_version(self):
        self.version = version_of(self.name)

    def requirements(self):
        for name in PACKAGES[self.name][3]:
            self.requires(f"{name}/{version_of(name)}")

    def package(self):
        copy(self, PACKAGES[self.name][1], SYSTEM, f"{self.package_folder}/include")

    def package_info(self):
        info = self.cpp_info
        if self.name == "boost":
            info.set_property("cmake_file_name", "Boost")
            info = self.cpp_info.components["headers"]
        info.set_property("cmake_target_name", PACKAGES[self.name][2])
        info.bindirs = info.libdirs = []
        info.defines = [f"PACKAGED_{self.name.upper()}"]  # this package, and not the system's headers that it is made of
        if self.name == "libzip":
            info.system_libs = ["zip"]

# SPDX-License-Identifier: Apache-2.0
# For development: packages this checkout (conan create .), and fetches what its tests need (conan install .). The recipe of releases, of which
# this is a kind, is packaging/conan/all.
import importlib.util
import pathlib
import re

from conan.tools.cmake import CMakeDeps, CMakeToolchain

required_conan_version = ">=2.4"

FOLDER = pathlib.Path(__file__).parent
spec = importlib.util.spec_from_file_location("sinter_release", FOLDER / "packaging/conan/all/conanfile.py")
release = importlib.util.module_from_spec(spec)
spec.loader.exec_module(release)


class Sinter(release.SinterConan):
    exports = "packaging/conan/all/conanfile.py"
    exports_sources = "LICENSE", "cmake/*", "include/*"
    test_package_folder = "packaging/conan/all/test_package"

    def set_version(self):
        text = (FOLDER / "include/sinter/core/config.hpp").read_text()
        self.version = ".".join(re.findall(r"#define SINTER_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))

    def layout(self):
        self.folders.generators = "build/conan"

    def source(self):
        pass

    def build_requirements(self):
        if not self.conf.get("tools.build:skip_test", default=False, check_type=bool):
            self.test_requires("catch2/3.15.3")

    def generate(self):
        CMakeDeps(self).generate()
        CMakeToolchain(self).generate()

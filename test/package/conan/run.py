#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py SOURCE WORK CXX CONAN: sinter by both of its Conan recipes, that of the checkout and that of a release, each with its test package, without
a remote: what sinter requires is packaged from this system's headers (conanfile.py beside this file) under its true version. Then a
project takes all components from the release."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE, WORK, CXX, CONAN = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4])
HERE = pathlib.Path(__file__).parent
ALL = [f"-o=sinter/*:with_{part}=True" for part in ("json", "npz", "onnx", "xtensor")]


def run(*command):
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    os.environ["CONAN_HOME"] = str(WORK / "home")
    names = "import conanfile as c; print(*(name + '/' + c.version_of(name) for name in c.PACKAGES))"
    python = [CONAN.parent / "python", "-B", "-c", names]
    listed = subprocess.run(python, cwd=HERE, check=True, capture_output=True, text=True).stdout.split()
    compiler = subprocess.run([CXX, "--version"], check=True, capture_output=True, text=True).stdout
    version = subprocess.run([CXX, "-dumpversion"], check=True, capture_output=True, text=True).stdout.split(".")[0].strip()
    cmake = re.search(r"\d+\.\d+\.\d+", subprocess.run(["cmake", "--version"], check=True, capture_output=True, text=True).stdout)[0]
    profile = WORK / "profile"
    profile.write_text(f"""[settings]
os=Linux
arch={os.uname().machine}
compiler={"clang" if "clang" in compiler else "gcc"}
compiler.version={version}
compiler.libcxx=libstdc++11
compiler.cppstd=20
build_type=Debug
[platform_tool_requires]
cmake/{cmake}
[replace_requires]
""" + "".join(f"{name.split('/')[0]}/*: {name}\n" for name in listed) + f"""[conf]
tools.build:skip_test=True
tools.build:compiler_executables={{"cpp": "{CXX}"}}
""")
    create = [CONAN, "create", "-pr:a", profile, "-nr"]
    for name in listed:
        run(*create, HERE, "--name", name.split("/")[0])

    checkout = WORK / "checkout"  # a copy, because test packages are built where they lie
    checkout.mkdir()
    for name in ("LICENSE", "cmake", "include", "packaging", "conanfile.py"):
        (shutil.copytree if (SOURCE / name).is_dir() else shutil.copy)(SOURCE / name, checkout / name)
    run(*create, checkout)

    recipe = WORK / "release/conan/all"
    run(SOURCE / "packaging/release", WORK / "release")
    archive, = (WORK / "release").glob("sinter-*.tar.gz")
    data = recipe / "conandata.yml"
    data.write_text(re.sub(r'url: ".*"', f'url: "{archive.as_uri()}"', data.read_text()))
    version = archive.name.removeprefix("sinter-").removesuffix(".tar.gz")
    if f'"{version}":\n' not in (recipe.parent / "config.yml").read_text():
        sys.exit(f"packaging/conan/config.yml has no version {version}")
    run(*create, recipe, "--version", version, *ALL)

    run(CONAN, "install", f"--requires=sinter/{version}", "-pr:a", profile, "-nr", *ALL, "-g", "CMakeDeps", "-g", "CMakeToolchain", "-of", WORK / "found")
    run("cmake", "-S", HERE.parent / "parts", "-B", WORK / "parts", f"-DCMAKE_TOOLCHAIN_FILE={WORK}/found/conan_toolchain.cmake", "-DCMAKE_BUILD_TYPE=Debug",
        "-DPACKAGED=ON")
    run("cmake", "--build", WORK / "parts")
    run(WORK / "parts/parts")


if __name__ == "__main__":
    main()

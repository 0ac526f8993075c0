"""Build the compiled kernel; everything else is in pyproject.toml.

Two variables of the environment steer a test build: PANDOER_SANITIZE=1 turns on bounds checks and the address
and undefined-behaviour sanitizers.
"""

from __future__ import annotations

import os
import platform
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

sanitize = os.environ.get("PANDOER_SANITIZE") == "1"

flags: list[str] = []
links: list[str] = []
if sys.platform != "win32":
    flags = ["-O3"]
    if platform.machine().lower() in ("x86_64", "amd64"):
        # numpy's own wheels ask for x86-64-v2, which has POPCNT.
        flags.append("-march=x86-64-v2")
if sanitize:
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    flags = [*flags, "-O1", "-g", "-fno-omit-frame-pointer", *checks]
    links = checks

setup(
    ext_modules=cythonize(
        [
            Extension(f"pandoer.{name}", [f"src/pandoer/{name}.pyx"], extra_compile_args=flags, extra_link_args=links)
            for name in ("_solver",)
        ],
        compiler_directives={"boundscheck": sanitize, "wraparound": False, "embedsignature": True},
        force=sanitize,
    )
)

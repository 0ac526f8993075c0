"""Build the compiled kernel; everything else is in pyproject.toml.

Two variables of the environment steer a test build: PANDOER_SANITIZE=1 turns on bounds checks and the address
and undefined-behaviour sanitizers, PANDOER_SWITCHES=1 makes each technique of the search one that can be switched off.
"""

from __future__ import annotations

import os
import platform
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

sanitize = os.environ.get("PANDOER_SANITIZE") == "1"
switches = os.environ.get("PANDOER_SWITCHES") == "1"

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
            Extension(
                "pandoer._solver",
                ["src/pandoer/_solver.pyx"],
                extra_compile_args=flags,
                extra_link_args=links,
                define_macros=[("PANDOER_SWITCHES", "1")] if switches else [],
            )
        ],
        compiler_directives={"boundscheck": sanitize, "wraparound": False, "embedsignature": True},
        force=sanitize,
    )
)

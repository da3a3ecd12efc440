# SPDX-License-Identifier: Apache-2.0
# Assay for Spack. There is no public place to fetch the sources from yet, so that this recipe builds a checkout, by
# `spack dev-build`: doc/installing.md has the commands.
from spack.package import *

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage  # Spack 1.0 and later keep build systems apart
except ImportError:
    pass


class Assay(CMakePackage):
    """Assay finds out what synchronization, communication and operating-system services cost on a node or a cluster, and
    how far each number can be trusted."""

    homepage = "https://example.org/assay"

    license("Apache-2.0")

    version("0.1.0")

    variant("mpi", default=True, description="Measure between ranks of MPI")
    variant("openmp", default=True, description="Measure constructs of OpenMP")
    variant("history", default=True, description="Keep histories of campaigns, in SQLite")
    variant("report", default=False, description="What the report needs of Python: pages of charts, figures, data frames")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("boost@1.74: +program_options")
    depends_on("nlohmann-json@3.10:", type="build")
    depends_on("hwloc@2.4:")
    depends_on("mpi", when="+mpi")
    depends_on("sqlite@3.35:", when="+history")
    with when("+report"):
        depends_on("python@3.11:", type="run")
        depends_on("py-plotly@5.4:", type="run")
        depends_on("py-jinja2@3.1:", type="run")
        depends_on("py-numpy@1.24:", type="run")
        depends_on("py-pandas@1.5:", type="run")
        depends_on("py-orjson", type="run")
        depends_on("py-google-crc32c", type="run")

    conflicts("%gcc@:11", msg="C++20 as of g++ 12 is needed")

    generator("ninja")

    def cmake_args(self):
        args = [self.define("ASSAY_TESTS", False), self.define("ASSAY_CK", "OFF")]
        for name in ("mpi", "openmp", "history"):
            args.append(self.define("ASSAY_" + name.upper(), "ON" if self.spec.satisfies("+" + name) else "OFF"))
        if self.spec.satisfies("+report"):
            args.append(self.define("ASSAY_PYTHON", self.spec["python"].command.path))
        return args

    def test_version(self):
        """the program starts, and reads its own campaign"""
        program = which(self.prefix.bin.assay)
        program("--version")
        program("plan", self.prefix.share.assay.configs.join("quick.ini"))

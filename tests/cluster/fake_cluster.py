# SPDX-License-Identifier: Apache-2.0
"""Several nodes that are none, on one machine, each with a host name, a network, shared memory and a clock offset of its own.

Where asked for they also have hardware topologies and shares of the CPUs. Frames between them pass through a switch in user space that delays them."""
import os
import shlex
import subprocess
import tempfile

MTU = 65000  # a message of 64 KiB is two frames: what a switch does to a frame, it does to a message
CPU_CGROUP = "/sys/fs/cgroup/cpu"

AGENT = """#!/bin/bash
# Starts words on a node, as a remote shell would, before what else runs here: agent [-option...] NODE WORD...
while [ "${1#-}" != "$1" ]; do shift; done
node=$1; shift
. %(folder)s/$node
for group in $cgroup; do echo $$ > $group/cgroup.procs; done
exec ${cpu:+taskset --cpu-list $cpu} nice -n -15 nsenter --net=/run/netns/$network unshare --uts --ipc --mount --fork --kill-child -T --monotonic $offset bash -c \\
  'hostname "$1"; mount -t tmpfs none /dev/shm; [ -z "$2" ] || export HWLOC_SYNTHETIC="$2"; shift 2; exec bash -c "$*"' \\
  x "$node" "$topology" "$@"
"""

MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl": "self,vader,tcp",
    "OMPI_MCA_btl_tcp_if_include": "node0",
    "OMPI_MCA_oob_tcp_if_include": "node0",
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}


def why_not(switch):
    """Why this machine, or this user, cannot have a fake cluster; None where it can."""
    if os.geteuid() != 0:
        return "name spaces with networks of their own need root"
    for program in ("mpirun", "ip", "nsenter", "unshare"):
        if subprocess.run(["which", program], capture_output=True).returncode != 0:
            return f"there is no {program}"
    if not os.path.exists(switch):
        return f"{switch} was not built"
    if not os.path.exists("/dev/net/tun"):
        return "there is no /dev/net/tun, so that no switch can have ports"
    tried = subprocess.run(["unshare", "--uts", "--ipc", "--mount", "-T", "--monotonic", "1000", "--fork", "true"],
                           capture_output=True, text=True)
    if tried.returncode != 0:
        return "name spaces are not permitted: " + tried.stderr.strip()
    name = f"asy{os.getpid()}t"
    tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if tried.returncode != 0:
        return "networks are not permitted: " + tried.stderr.strip()
    subprocess.run(["ip", "netns", "del", name], check=True)
    return None


class FakeCluster:
    """Nodes n0, n1, ... while it is entered. `offsets`: of their clocks, in s; `topologies`: as hwloc describes synthetic
    ones; `quotas`: share of one CPU, by node; with `apart` each node has a CPU to itself, as far as there are any."""

    def __init__(self, switch, nodes, offsets=(), topologies=(), quotas=None, apart=False):
        self.program = switch
        self.names = [f"n{i}" for i in range(nodes)]
        self.offsets = list(offsets) + [0] * (nodes - len(offsets))
        self.topologies = list(topologies) + [""] * (nodes - len(topologies))
        self.quotas = quotas or {}
        cpus = sorted(os.sched_getaffinity(0))
        self.cpus = [cpus[i % len(cpus)] if apart else "" for i in range(nodes)]
        self.prefix = f"asy{os.getpid()}"
        self.cgroups = []
        self.switch = None
        self.folder = None

    def network(self, node):
        return f"{self.prefix}n{node}"

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="assay-cluster-")
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        for node in range(len(self.names)):
            subprocess.run(["ip", "netns", "add", self.network(node)], check=True)
        self.switch = subprocess.Popen([self.program] + [self.network(i) for i in range(len(self.names))],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.switch.stdout.readline() != "ready\n":
            raise RuntimeError("the switch did not start")
        for node, name in enumerate(self.names):
            self.connect(node)
            with open(os.path.join(self.folder.name, name), "w") as file:
                file.write(f"network={self.network(node)}\noffset={self.offsets[node]}\n"
                           f"topology={shlex.quote(self.topologies[node])}\ncgroup={self.cgroup(node)}\ncpu={self.cpus[node]}\n")
        self.agent = os.path.join(self.folder.name, "agent")
        with open(self.agent, "w") as file:
            file.write(AGENT % {"folder": self.folder.name})
        os.chmod(self.agent, 0o755)

    def connect(self, node):
        net = ["ip", "-n", self.network(node)]
        subprocess.run(net + ["link", "set", "lo", "up"], check=True)
        subprocess.run(net + ["link", "set", "node0", "address", f"02:00:00:00:00:{node:02x}", "mtu", str(MTU), "up"], check=True)
        subprocess.run(net + ["addr", "add", f"10.77.0.{node + 1}/24", "dev", "node0"], check=True)

    def cgroup(self, node):
        if node not in self.quotas:
            return ""
        group = os.path.join(CPU_CGROUP, self.network(node))
        os.mkdir(group)
        self.cgroups.append(group)
        for file, value in (("cpu.cfs_period_us", 100000), ("cpu.cfs_quota_us", int(100000 * self.quotas[node]))):
            with open(os.path.join(group, file), "w") as out:
                out.write(str(value))
        return group

    def tell(self, command):
        """To the switch: "delay NS", "link A B NS", "step BYTES NS"."""
        self.switch.stdin.write(command + "\n")
        self.switch.stdin.flush()
        answer = self.switch.stdout.readline().strip()
        if answer != "ok":
            raise RuntimeError(f"the switch says {answer!r} to {command!r}")

    def hosts(self, slots=1):
        return ",".join(f"{name}:{slots}" for name in self.names)

    def mpirun(self, ranks, slots=1):
        """The words that start ranks, dealt over the nodes."""
        return ["mpirun", "--mca", "plm_rsh_agent", self.agent, "--host", self.hosts(slots), "--map-by", "node", "-np", str(ranks)]

    def run(self, words, node=0, timeout=300, environment=None):
        """Runs words on a node; returns what subprocess.run returns, with the text of both outputs."""
        command = " ".join(shlex.quote(word) for word in words)
        return subprocess.run([self.agent, self.names[node], command], capture_output=True, text=True, timeout=timeout,
                              env={**os.environ, **MPI, **(environment or {})})

    def __exit__(self, *_):
        if self.switch:
            self.switch.stdin.close()
            try:
                self.switch.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.switch.kill()
                self.switch.wait()
            self.switch.stdout.close()
        for node in range(len(self.names)):
            subprocess.run(["ip", "netns", "del", self.network(node)], capture_output=True)
        for group in self.cgroups:
            try:
                os.rmdir(group)
            except OSError as error:
                print(f"{group} stays: {error}")
        self.folder.cleanup()

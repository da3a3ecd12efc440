// SPDX-License-Identifier: Apache-2.0
// Costs of the operating system and of memory, measured the way one does by hand, with nothing of Assay.
// Usage: os_agreement_hand null-call|stat|open-close|signal-install|signal-handle|pipe|context|fork-exit|fork-exec|
// page-fault|l1-latency|l2-latency|memory-latency|main-memory CPU... Prints "value,0": the median over batches in ns
// per event. A program beside this one's build that writes a line is what fork-exec executes.
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "core_step.hpp"

namespace {

double now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

void require(bool good, const char* what) {
  if (good) return;
  std::perror(what);
  std::exit(3);
}

void bind(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  require(sched_setaffinity(0, sizeof set, &set) == 0, "sched_setaffinity");
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// Batches of about 100 us, or of one event, for 60 ms after as long a warm-up: a moment that others leave alone is
// short.
template <class Event>
double median_time(Event event) {
  constexpr double batch_ns = 1e5;
  constexpr double span_ns = 6e7;
  long events = 1;
  for (const double end = now_ns() + span_ns; now_ns() < end;) {
    const double from = now_ns();
    for (long i = 0; i < events; ++i) event();
    if (now_ns() - from < batch_ns) events += events;
  }
  std::vector<double> times;
  for (const double end = now_ns() + span_ns; now_ns() < end;) {
    const double from = now_ns();
    for (long i = 0; i < events; ++i) event();
    times.push_back((now_ns() - from) / static_cast<double>(events));
  }
  return median(times);
}

double null_call() {
  return median_time([] { syscall(SYS_getppid); });
}

// An empty file as deep as those of Assay; gone when the program ends.
class EmptyFile {
 public:
  EmptyFile() {
    require(mkdtemp(folder_) != nullptr, "mkdtemp");
    name_ = std::string(folder_) + "/file";
    const int file = open(name_.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0666);
    require(file >= 0 && close(file) == 0, "open");
  }
  EmptyFile(const EmptyFile&) = delete;
  EmptyFile& operator=(const EmptyFile&) = delete;
  ~EmptyFile() {
    unlink(name_.c_str());
    rmdir(folder_);
  }
  const char* name() const { return name_.c_str(); }

 private:
  char folder_[24] = "/tmp/assay-hand-XXXXXX";
  std::string name_;
};

double stat_of_a_file() {
  const EmptyFile file;
  struct stat facts;
  return median_time([&] { require(stat(file.name(), &facts) == 0, "stat"); });
}

double open_and_close() {
  const EmptyFile file;
  return median_time([&] { require(close(open(file.name(), O_RDONLY | O_CLOEXEC)) == 0, "open or close"); });
}

volatile std::sig_atomic_t handled = 0;
void handle(int) { handled = handled + 1; }

struct sigaction handler() {
  struct sigaction action {};
  action.sa_handler = handle;
  return action;
}

void handle_with_facts(int, siginfo_t*, void*) { handled = handled + 1; }

// The action is filled in each time, and the old one looked at.
double signal_install() {
  struct sigaction first = handler();
  require(sigaction(SIGUSR1, &first, nullptr) == 0, "sigaction");
  bool all = true;
  const double time = median_time([&] {
    struct sigaction action, before;
    action.sa_sigaction = handle_with_facts;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    all &= sigaction(SIGUSR1, &action, &before) == 0 && before.sa_handler != SIG_DFL;
  });
  require(all, "sigaction");
  return time;
}

// Without the check of permission that goes before, as LMbench has it.
double signal_handle() {
  const struct sigaction action = handler();
  require(sigaction(SIGUSR1, &action, nullptr) == 0, "sigaction");
  const pid_t self = getpid();
  const double sent = median_time([&] { kill(self, SIGUSR1); });
  return sent - median_time([&] { kill(self, 0); });
}

// Whatever comes in from one pipe goes out by the other, in a process that dies with this one.
void echo_in_process(const int (&from)[2], const int (&to)[2]) {
  const pid_t pid = fork();
  require(pid >= 0, "fork");
  if (pid > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int token; read(from[0], &token, sizeof token) > 0;)
    if (write(to[1], &token, sizeof token) < 0) break;
  _exit(0);
}

double ring_of_two() {
  static int there[2], back[2];
  require(pipe(there) == 0 && pipe(back) == 0, "pipe");
  echo_in_process(there, back);
  return median_time([] {
    int token = 0;
    require(write(there[1], &token, sizeof token) == sizeof token, "write");
    require(read(back[0], &token, sizeof token) == sizeof token, "read");
  });
}

double fork_exec(const std::string& program) {
  static char name[4096];
  program.copy(name, sizeof name - 1);
  return median_time([] {
    const pid_t pid = fork();
    require(pid >= 0, "fork");
    if (pid == 0) {
      close(STDOUT_FILENO);
      char* arguments[] = {name, nullptr};
      char* environment[] = {nullptr};
      execve(name, arguments, environment);
      _exit(127);
    }
    int status = 0;
    require(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) != 127, "exec");
  });
}

constexpr std::size_t file_bytes = std::size_t{4} << 20U;
constexpr std::size_t fault_stride = std::size_t{256} << 10U;

double page_fault() {
  char name[] = "/tmp/os-agreement-XXXXXX";
  const int file = mkstemp(name);
  require(file >= 0 && unlink(name) == 0, "mkstemp");
  // Page by page: what is written in larger pieces may be kept in larger ones, which one fault maps whole.
  const std::vector<char> page(4096);
  for (std::size_t i = 0; i < file_bytes; i += page.size())
    require(write(file, page.data(), page.size()) == static_cast<ssize_t>(page.size()), "write");
  std::vector<std::size_t> places(file_bytes / fault_stride);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i * fault_stride;
  std::shuffle(places.begin(), places.end(), std::mt19937_64(7));
  const auto time_of = [&](bool touches) {
    const double from = now_ns();
    void* const area = mmap(nullptr, file_bytes, PROT_READ, MAP_SHARED, file, 0);
    if (touches)
      for (const std::size_t place : places) static_cast<void>(static_cast<const volatile char*>(area)[place]);
    munmap(area, file_bytes);
    return now_ns() - from;
  };
  std::vector<double> touched, untouched;
  for (const double end = now_ns() + 6e8; now_ns() < end;) {
    touched.push_back(time_of(true));
    untouched.push_back(time_of(false));
  }
  return (median(touched) - median(untouched)) / static_cast<double>(places.size());
}

// Bytes of the largest cache for data that the kernel states, or 32 MiB where it states none.
std::size_t outer_cache() {
  std::size_t largest = 0;
  for (int i = 0; i < 8; ++i) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i);
    std::string type;
    std::size_t kib = 0;
    std::ifstream(folder + "/type") >> type;
    std::ifstream(folder + "/size") >> kib;  // "32768K"
    if (type != "Instruction") largest = std::max(largest, kib << 10U);
  }
  return largest > 0 ? largest : std::size_t{32} << 20U;
}

enum class ChainPages { base, huge };

// A chain of pointers, one in each so many bytes, in random order.
class Chain {
 public:
  explicit Chain(std::size_t bytes, std::size_t stride = 128, ChainPages pages = ChainPages::base)
      : places_(bytes / stride) {
    constexpr std::size_t huge = std::size_t{2} << 20U;
    void* const area = mmap(nullptr, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const int advice = pages == ChainPages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
    require(area != MAP_FAILED && madvise(area, bytes + huge, advice) == 0, "mmap");
    std::vector<std::uint32_t> order(places_);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
    const auto first = (reinterpret_cast<std::uintptr_t>(area) + huge - 1) / huge * huge;
    const auto memory = reinterpret_cast<char*>(first);
    const auto slot = [memory, stride](std::size_t place) { return reinterpret_cast<void**>(memory + place * stride); };
    for (std::size_t i = 0; i < places_; ++i) *slot(order[i]) = slot(order[(i + 1) % places_]);
    at_ = slot(order[0]);
  }
  std::size_t places() const { return places_; }
  void go(std::size_t loads) {
    for (std::size_t i = 0; i < loads; ++i) at_ = static_cast<void**>(*at_);
    asm volatile("" : "+r"(at_));
  }

 private:
  std::size_t places_;
  void** at_;
};

// What fits into a cache: batches over the same chain again and again.
double cache_latency(std::size_t bytes) {
  constexpr std::size_t loads = 100;
  Chain chain(bytes);
  chain.go(chain.places());
  return median_time([&] { chain.go(loads); }) / loads;
}

// A whole pass behind a whole pass, without a pause; the median of its pieces of about 100 us, so that what another
// program takes of a pass does not count.
double pass_latency(Chain chain) {
  constexpr std::size_t loads = 512;
  chain.go(chain.places());
  std::vector<double> pieces;
  for (std::size_t done = 0; done < chain.places(); done += loads) {
    const double from = now_ns();
    chain.go(loads);
    pieces.push_back((now_ns() - from) / loads);
  }
  return median(pieces);
}

double value_of(const std::string& what, const std::string& program) {
  if (what == "null-call") return null_call();
  if (what == "stat") return stat_of_a_file();
  if (what == "open-close") return open_and_close();
  if (what == "signal-install") return signal_install();
  if (what == "signal-handle") return signal_handle();
  if (what == "pipe") return ring_of_two();
  if (what == "context") return ring_of_two() / 2;  // a hop of the ring
  if (what == "fork-exec") return fork_exec(program);
  if (what == "page-fault") return page_fault();
  if (what == "l1-latency") return cache_latency(std::size_t{16} << 10U);
  if (what == "l2-latency") return cache_latency(std::size_t{256} << 10U);
  if (what == "memory-latency") return pass_latency(Chain(std::size_t{64} << 20U));
  if (what == "main-memory") return pass_latency(Chain(4 * outer_cache(), 64, ChainPages::huge));
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  bind(std::atoi(argv[2]));
  if (std::string(argv[1]) == "fork-exit") return execl(OS_AGREEMENT_FORK, OS_AGREEMENT_FORK, nullptr);
  const double before = core_step();
  const double value = value_of(argv[1], OS_AGREEMENT_CHILD);
  std::printf("%.6f,0,%.5f,%.5f\n", value, before, core_step());
}

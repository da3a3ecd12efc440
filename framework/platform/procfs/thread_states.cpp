// SPDX-License-Identifier: Apache-2.0
// Two looks at the threads of a group, and their summary.
#include "platform/procfs/thread_states.hpp"

#include <sys/syscall.h>
#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "platform/procfs/procfs.hpp"

namespace assay {

namespace {

struct Call {
  long number;
  const char* name;
};

constexpr Call calls[] = {
    {SYS_accept, "accept"},
    {SYS_accept4, "accept4"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_clone, "clone"},
#ifdef SYS_clone3
    {SYS_clone3, "clone3"},
#endif
    {SYS_close, "close"},
    {SYS_connect, "connect"},
    {SYS_epoll_pwait, "epoll_pwait"},
#ifdef SYS_epoll_wait
    {SYS_epoll_wait, "epoll_wait"},
#endif
    {SYS_execve, "execve"},
    {SYS_exit, "exit"},
    {SYS_exit_group, "exit_group"},
    {SYS_fcntl, "fcntl"},
    {SYS_fdatasync, "fdatasync"},
    {SYS_flock, "flock"},
    {SYS_fsync, "fsync"},
    {SYS_futex, "futex"},
#ifdef SYS_futex_waitv
    {SYS_futex_waitv, "futex_waitv"},
#endif
    {SYS_getpid, "getpid"},
    {SYS_getppid, "getppid"},
    {SYS_gettid, "gettid"},
    {SYS_io_getevents, "io_getevents"},
    {SYS_io_uring_enter, "io_uring_enter"},
    {SYS_ioctl, "ioctl"},
    {SYS_kill, "kill"},
    {SYS_mmap, "mmap"},
    {SYS_mq_timedreceive, "mq_timedreceive"},
    {SYS_mq_timedsend, "mq_timedsend"},
    {SYS_msgrcv, "msgrcv"},
    {SYS_msgsnd, "msgsnd"},
    {SYS_munmap, "munmap"},
    {SYS_nanosleep, "nanosleep"},
#ifdef SYS_open
    {SYS_open, "open"},
#endif
    {SYS_openat, "openat"},
#ifdef SYS_pause
    {SYS_pause, "pause"},
#endif
#ifdef SYS_poll
    {SYS_poll, "poll"},
#endif
    {SYS_ppoll, "ppoll"},
    {SYS_pread64, "pread64"},
    {SYS_pselect6, "pselect6"},
    {SYS_ptrace, "ptrace"},
    {SYS_pwrite64, "pwrite64"},
    {SYS_read, "read"},
    {SYS_readv, "readv"},
    {SYS_recvfrom, "recvfrom"},
    {SYS_recvmmsg, "recvmmsg"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_restart_syscall, "restart_syscall"},
    {SYS_rt_sigsuspend, "rt_sigsuspend"},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait"},
    {SYS_sched_yield, "sched_yield"},
#ifdef SYS_select
    {SYS_select, "select"},
#endif
#ifdef SYS_semop
    {SYS_semop, "semop"},
#endif
#ifdef SYS_semtimedop
    {SYS_semtimedop, "semtimedop"},
#endif
    {SYS_sendmsg, "sendmsg"},
    {SYS_sendto, "sendto"},
    {SYS_splice, "splice"},
    {SYS_tgkill, "tgkill"},
#ifdef SYS_vfork
    {SYS_vfork, "vfork"},
#endif
    {SYS_wait4, "wait4"},
    {SYS_waitid, "waitid"},
    {SYS_write, "write"},
    {SYS_writev, "writev"},
};

}  // namespace

std::string system_call_name(long number) {
  const auto* const found =
      std::find_if(std::begin(calls), std::end(calls), [=](const Call& call) { return call.number == number; });
  return found == std::end(calls) ? "system call " + std::to_string(number) : found->name;
}

namespace {

constexpr timespec between_looks{0, 50'000'000};

std::vector<int> processes_of_group(int group) {
  std::vector<int> found;
  for (const int pid : process_ids())
    if (const auto stat = process_stat(pid); stat && stat->group == group) found.push_back(pid);
  return found;
}

std::vector<int> threads_of(int pid) {
  namespace fs = std::filesystem;
  std::vector<int> ids;
  std::error_code error;
  const std::string folder = "/proc/" + std::to_string(pid) + "/task";
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    int id = 0;
    std::from_chars(name.data(), name.data() + name.size(), id);
    ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string thread_file(int pid, int thread, const char* name) {
  return process_file(pid, "task/" + std::to_string(thread) + "/" + name);
}

/// The name of the call; empty for "running", and for "-1 ..." of a thread that waits outside of one.
std::string call_in(const std::string& text) {
  long number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number < 0 ? std::string() : system_call_name(number);
}

std::string wait_channel_in(const std::string& text) { return text == "0" ? std::string() : text; }

using Key = std::pair<int, int>;

std::map<Key, ProcessStat> look(int group) {
  std::map<Key, ProcessStat> seen;
  for (const int pid : processes_of_group(group))
    for (const int thread : threads_of(pid))
      if (const auto stat = parse_stat(thread_file(pid, thread, "stat"))) seen.emplace(Key(pid, thread), *stat);
  return seen;
}

/// What a thread does, as a plural verb and as a singular one.
struct Activity {
  std::string many;
  std::string one;
  friend auto operator<=>(const Activity&, const Activity&) = default;
};

Activity activity_of(const ThreadState& thread) {
  if (thread.state == "T" || thread.state == "t") return {"are stopped", "is stopped"};
  const std::string where = thread.system_call.empty() ? thread.waits_in : thread.system_call;
  const std::string in = where.empty() ? "" : " in " + where;
  if (thread.state == "D") return {"sleep without interruption" + in, "sleeps without interruption" + in};
  if (thread.state == "R" || thread.cpu_ticks > 0) return {"spin", "spins"};
  return {"wait" + in, "waits" + in};
}

std::string all_of(std::size_t count, const Activity& activity) {
  if (count == 1) return "the only thread " + activity.one;
  return (count == 2 ? "both threads " : "all " + std::to_string(count) + " threads ") + activity.many;
}

}  // namespace

std::vector<ThreadState> threads_of_group(int group) {
  const std::map<Key, ProcessStat> before = look(group);
  ::nanosleep(&between_looks, nullptr);
  std::vector<ThreadState> threads;
  for (const auto& [key, now] : look(group)) {
    const auto& [process, thread] = key;
    const auto then = before.find(key);
    const std::int64_t ticks = then == before.end() ? now.cpu_ticks : now.cpu_ticks - then->second.cpu_ticks;
    threads.push_back({process, thread, now.name, std::string(1, now.state), ticks,
                       wait_channel_in(thread_file(process, thread, "wchan")),
                       call_in(thread_file(process, thread, "syscall"))});
  }
  return threads;
}

std::string describe_threads(const std::vector<ThreadState>& threads) {
  std::map<Activity, std::size_t> counts;
  std::size_t all = 0;
  for (const ThreadState& thread : threads) {
    if (thread.state == "Z" || thread.state == "X") continue;
    ++counts[activity_of(thread)];
    ++all;
  }
  if (counts.size() == 1) return all_of(all, counts.begin()->first);
  std::string text;
  for (const auto& [activity, count] : counts)
    text += (text.empty() ? std::to_string(count) + " of " + std::to_string(all) + " threads "
                          : ", " + std::to_string(count) + " ") +
            (count == 1 ? activity.one : activity.many);
  return text;
}

}  // namespace assay

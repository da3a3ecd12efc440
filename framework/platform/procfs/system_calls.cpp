// SPDX-License-Identifier: Apache-2.0
// Numbers and names; the numbers differ between architectures, and so does which calls there are.
#include "platform/procfs/system_calls.hpp"

#include <sys/syscall.h>

#include <algorithm>
#include <iterator>

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

}  // namespace assay

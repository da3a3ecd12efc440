// SPDX-License-Identifier: Apache-2.0
// A client thread that answers until it is cancelled: how the benchmark of 1999 stopped its partner.
#pragma once
#include <pthread.h>
#include <sys/resource.h>

#include <cstdint>
#include <exception>
#include <system_error>
#include <utility>

#include "channel/semaphore.hpp"

namespace assay {

/// Between the initiator and the member whose client answers, and which sleeps meanwhile.
struct ClientSignals {
  PosixSemaphore timed{true};      ///< the initiator has finished timing
  PosixSemaphore cancelled{true};  ///< the client has been asked to end
};

/// Where a client can be cancelled.
enum class Cancellable : unsigned char {
  between_answers,  ///< whatever calls an answer makes
  within_answers  ///< at the cancellation points of an answer, which has to leave everything as its successor needs it
};

/// Runs `answer` over and over in a thread of its own, which inherits binding and policy. Where it can be
/// cancelled between two answers only, one that waits for a message has to be given it after `cancel`, and may find
/// that the client ended without it.
template <class Answer, Cancellable where = Cancellable::between_answers>
class Client {
 public:
  /// Throws std::system_error when no thread can be had.
  explicit Client(Answer answer) : answer_(std::move(answer)) {
    if (const int error = pthread_create(&thread_, nullptr, &Client::live, this); error != 0)
      throw std::system_error(error, std::generic_category(), "cannot start the client thread");
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void cancel() { pthread_cancel(thread_); }
  /// Waits for its end, and throws what an answer threw.
  void join() {
    pthread_join(thread_, nullptr);
    if (thrown_) std::rethrow_exception(thrown_);
  }
  /// Answers given, and switches, of its whole life; after join().
  std::int64_t answers() const { return answers_; }
  std::int64_t voluntary_switches() const { return usage_.ru_nvcsw; }
  std::int64_t involuntary_switches() const { return usage_.ru_nivcsw; }

 private:
  /// Takes the costs of the thread wherever it is left, cancelled or not.
  struct Account {
    rusage& usage;
    ~Account() { ::getrusage(RUSAGE_THREAD, &usage); }
  };

  static void* live(void* self) {
    static_cast<Client*>(self)->answer_on();
    return nullptr;
  }
  // Cancellation unwinds through this function alone; nothing here is noexcept, and only exceptions are caught.
  void answer_on() {
    if constexpr (where == Cancellable::between_answers) pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
    const Account account{usage_};
    try {
      for (;;) {
        answer_();
        ++answers_;
        end_if_cancelled();
      }
    } catch (const std::exception&) {
      thrown_ = std::current_exception();
    }
  }

  static void end_if_cancelled() {
    if constexpr (where == Cancellable::between_answers) pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
    pthread_testcancel();
    if constexpr (where == Cancellable::between_answers) pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  }

  Answer answer_;
  pthread_t thread_{};
  std::int64_t answers_ = 0;
  rusage usage_{};
  std::exception_ptr thrown_;
};

}  // namespace assay

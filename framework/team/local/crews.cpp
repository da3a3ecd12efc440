// SPDX-License-Identifier: Apache-2.0
// Members that are threads of this process, or forked processes over shared memory.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "platform/process/forked_children.hpp"
#include "team/local/local_team.hpp"

namespace assay {
namespace {

class ThreadCrew final : public Crew {
 public:
  void start(int rank, std::function<bool()> life) override {
    auto& ended = ended_->emplace_back(false);
    try {
      threads_.emplace_back([life = std::move(life), &ended] {
        life();
        ended = true;
      });
    } catch (const std::system_error& error) {
      ended_->pop_back();
      throw PlatformError("starting the thread of member " + std::to_string(rank), error.code().value());
    }
  }

  bool end(bool orderly) override {
    const bool all = orderly || end_in_time();
    for (std::thread& thread : threads_) all ? thread.join() : thread.detach();
    threads_.clear();
    if (!all) static_cast<void>(ended_.release());  // the threads that hang on may still write to it
    return all;
  }

 private:
  // A member may wait for the one that failed forever, and no thread can be ended from outside. A machine may stand
  // still for a second.
  bool end_in_time() const {
    using namespace std::chrono_literals;
    const auto is_true = [](const std::atomic<bool>& flag) { return flag.load(); };
    for (int i = 0; i < 3000 && !std::all_of(ended_->begin(), ended_->end(), is_true); ++i)
      std::this_thread::sleep_for(1ms);
    return std::all_of(ended_->begin(), ended_->end(), is_true);
  }

  std::unique_ptr<std::deque<std::atomic<bool>>> ended_ = std::make_unique<std::deque<std::atomic<bool>>>();
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<Crew> thread_crew(int, Died) { return std::make_unique<ThreadCrew>(); }

std::unique_ptr<Team> open_thread_team(const Entry& entry, const TeamRequest& request) {
  return open_local_team(entry, request, &thread_crew);
}

namespace {

class ProcessCrew final : public Crew {
 public:
  explicit ProcessCrew(Died died)
      : children_(
            [died = std::move(died)](std::size_t index, const char* how) { died(static_cast<int>(index) + 1, how); }) {}

  void start(int, std::function<bool()> life) override {
    children_.start([&] { return life() ? 0 : 1; });
  }

  bool end(bool orderly) override {
    if (!orderly) children_.kill();
    children_.wait();
    return true;
  }

 private:
  ForkedChildren children_;
};

// A single member has no children, and a measurement's own must not meet a handler.
class NoCrew final : public Crew {
 public:
  void start(int, std::function<bool()>) override {}
  bool end(bool) override { return true; }
};

}  // namespace

std::unique_ptr<Team> open_process_team(const Entry& entry, const TeamRequest& request) {
  return open_local_team(entry, request, [](int members, Died died) -> std::unique_ptr<Crew> {
    if (members == 1) return std::make_unique<NoCrew>();
    return std::make_unique<ProcessCrew>(std::move(died));
  });
}

}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
// Members that are forked processes over shared memory.
#include "platform/process/forked_children.hpp"
#include "team/local/local_team.hpp"

namespace assay {
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

// SPDX-License-Identifier: Apache-2.0
// A launcher without MPI: it is rank 0 itself, with visits that a law makes up, and does wrong on demand.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "app/campaign/rank_main.hpp"
#include "catalog.hpp"
#include "support/campaigns/fake_host.hpp"

namespace {

using namespace assay;
using namespace assay::test;

/// Says when it is asked for something, as real ranks do, and fails there.
class Announcing final : public Host {
 public:
  Announcing(const CampaignPlan& plan, std::function<void(Nanoseconds)> alive, std::function<void()> act)
      : plan_(plan), host_(plan, clock_, &law), alive_(std::move(alive)), act_(std::move(act)) {}
  Opened open(const IncarnationKey& key) override { return host_.open(key); }
  VisitYield visit(const IncarnationKey& key, const VisitOrder& order) override {
    alive_(plan_.series.at(key.series).precision.deadline);
    act_();
    return host_.visit(key, order);
  }
  void close(const IncarnationKey& key) override { host_.close(key); }
  std::size_t capacity() const override { return host_.capacity(); }

 private:
  static Nanoseconds law(const FakeTurn& turn, Rng& rng) {
    return Nanoseconds{100 * (1 + 0.001 * rng.normal()) * static_cast<double>(turn.reps.count)};
  }
  const CampaignPlan& plan_;
  FakeClock clock_;
  FakeHost host_;
  std::function<void(Nanoseconds)> alive_;
  std::function<void()> act_;
};

int number(const std::map<std::string, int>& orders, const std::string& word) {
  const auto found = orders.find(word);
  return found == orders.end() ? 0 : found->second;
}

}  // namespace

/// fake_launcher [die=N | die-always=N | hang=N | kill-watcher=N | refuse=CODE]... RANKS PROGRAM launch DIR NUMBER
int main(int count, char** arguments) {
  std::vector<std::string> words(arguments + 1, arguments + count);
  std::map<std::string, int> orders;
  std::size_t at = 0;
  for (; at < words.size() && words[at] != "launch"; ++at)
    if (const auto equals = words[at].find('='); equals != std::string::npos)
      orders[words[at].substr(0, equals)] = std::stoi(words[at].substr(equals + 1));
  if (orders.contains("refuse")) {
    std::cerr << "There are not enough slots available in the system\n";
    return orders["refuse"];
  }
  const std::string directory = words.at(at + 1);
  const int launch = std::stoi(words.at(at + 2));
  int visits = 0;
  const auto act = [&] {
    ++visits;
    const bool is_first = launch == 1;
    if ((is_first && visits == number(orders, "die")) || visits == number(orders, "die-always")) ::raise(SIGKILL);
    if (is_first && visits == number(orders, "kill-watcher")) {
      ::kill(::getppid(), SIGKILL);
      ::raise(SIGKILL);
    }
    while (visits == number(orders, "hang")) ::pause();
  };
  Registry registry;
  register_all(registry);
  Catalogue catalogue;
  for (const Entry& entry : registry.entries()) catalogue.built_in.push_back(entry.description);
  RankSide side;
  side.ranks = {{"here", static_cast<int>(::getpid()), {0}}, {"here", 2, {1}}};
  side.host = [&](const CampaignPlan& plan, std::function<void(Nanoseconds)> alive, const std::string& /*node*/) {
    return std::make_unique<Announcing>(plan, std::move(alive), act);
  };
  try {
    measure_in_launch(directory, launch, catalogue, side);
  } catch (const std::exception& error) {
    std::cerr << "assay: error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}

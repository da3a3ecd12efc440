// SPDX-License-Identifier: Apache-2.0
// Non-blocking collectives, waited for in sleep: a rank that polls would take the CPU of one that is measured.
#include "team/ranks/mpi_link.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include "api/mpi.hpp"
#include "base/error.hpp"
#include "platform/clock/yardstick.hpp"
#include "platform/machine/identity.hpp"
#include "platform/machine/machine.hpp"
#include "platform/process/process.hpp"
#include "platform/process/self.hpp"
#include "platform/thread/guard.hpp"
#include "team/wire/mpi_wire.hpp"

namespace assay {
namespace {

using namespace std::chrono_literals;

constexpr int patient_looks = 50;  // that only give the CPU up
constexpr auto shortest_sleep = 20us;
constexpr auto longest_sleep = 2000us;
constexpr int exit_code = 1;

constexpr std::pair<std::string_view, int> thread_levels[] = {{"single", MPI_THREAD_SINGLE},
                                                              {"funneled", MPI_THREAD_FUNNELED},
                                                              {"serialized", MPI_THREAD_SERIALIZED},
                                                              {"multiple", MPI_THREAD_MULTIPLE}};

/// What a thread level costs shows only where the library was started with no more.
int level_asked_for(bool has_threads) {
  const char* const word = std::getenv("ASSAY_MPI_THREAD_LEVEL");
  if (word == nullptr || *word == '\0') return has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  for (const auto& [name, level] : thread_levels)
    if (word == name) return level;
  std::fprintf(stderr,
               "assay: error: ASSAY_MPI_THREAD_LEVEL is '%s', no thread level of MPI; set it to single, funneled, "
               "serialized or multiple\n",
               word);
  std::exit(2);  // as for any wrong option
}

int own_level() {
  int level = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&level), "asking for the thread level");
  return level;
}

std::string_view word_of(int level) {
  const auto* const found = std::ranges::find(thread_levels, level, &std::pair<std::string_view, int>::second);
  return found == std::end(thread_levels) ? "unknown" : found->first;
}

bool has_come(MPI_Request& request) {
  int done = 0;
  check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "waiting for the other ranks");
  return done != 0;
}

/// Asleep between looks, longer and longer.
void wait_politely(MPI_Request& request) {
  std::chrono::microseconds pause = shortest_sleep;
  for (int looks = 0; !has_come(request); ++looks) {
    if (looks < patient_looks) {
      std::this_thread::yield();
      continue;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min<std::chrono::microseconds>(pause * 3 / 2, longest_sleep);
  }
}

int size_of(const std::string& text) {
  if (std::cmp_greater(text.size(), std::numeric_limits<int>::max()))
    throw std::runtime_error("a message of " + std::to_string(text.size()) + " bytes between ranks");
  return static_cast<int>(text.size());
}

std::string describe_self() {
  // The machine's own name, whatever the library makes of it.
  std::string text = host_name() + '\n' + std::to_string(own_pid()) + ' ' + std::to_string(cycles_per_chain_step()) +
                     (one_thread_per_core() ? " 1" : " 0");
  for (const int cpu : binding_of_self()) text += ' ' + std::to_string(cpu);
  return text;
}

/// Open MPI's switch, by MPI_T. MPICH's variable of that meaning (MPIR_CVAR_POLLS_BEFORE_YIELD) is not believed: 4.0.2
/// polls on whatever it says, and three ranks on two CPUs took 8.2 ms for a barrier.
bool library_gives_way() {
  const int level = own_level();
  int provided = 0;
  // Open MPI 4 takes the level asked for here as that of the whole library from now on.
  if (MPI_T_init_thread(level, &provided) != MPI_SUCCESS) return false;
  bool gives = false;
  int index = 0;
  int count = 0;
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  if (MPI_T_cvar_get_index("mpi_yield_when_idle", &index) == MPI_SUCCESS &&
      MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS) {
    std::int64_t value = 0;  // of a type up to so wide
    gives = count == 1 && MPI_T_cvar_read(handle, &value) == MPI_SUCCESS && value != 0;
    MPI_T_cvar_handle_free(&handle);
  }
  MPI_T_finalize();
  return gives;
}

RankInfo parse_rank(const std::string& text) {
  const std::size_t end = text.find('\n');
  RankInfo rank;
  rank.node = text.substr(0, end);
  std::vector<int> numbers;
  for (std::size_t at = end; at != std::string::npos; at = text.find(' ', at + 1))
    numbers.push_back(std::stoi(text.substr(at + 1)));
  rank.process = numbers.at(0);
  rank.cycles_per_step = numbers.at(1);
  rank.one_thread_per_core = numbers.at(2) != 0;
  rank.cpus.assign(numbers.begin() + 3, numbers.end());
  return rank;
}

class MpiLink final : public RankLink {
 public:
  MpiLink();
  ~MpiLink() override;
  MpiLink(const MpiLink&) = delete;
  MpiLink& operator=(const MpiLink&) = delete;

  int rank() const override { return rank_; }
  const RankMap& map() const override { return map_; }
  bool gives_way() const override { return gives_way_; }
  std::string thread_level() const override { return std::string(word_of(own_level())); }
  std::string broadcast(const std::string& text) override;
  std::vector<std::string> gather(const std::string& text) override;
  const MpiPlace* place(const std::vector<RankSeat>& seats) override;
  void start(const MpiPlace* place) override;
  PlaceClock* clock(const MpiPlace* place) override { return group_of(place).clock.get(); }
  [[noreturn]] void abort(const std::string& why) override;

 private:
  struct Group {
    MpiPlace place;
    MPI_Comm starts = MPI_COMM_NULL;  ///< for the framework's barrier before a batch
    bool has_members = false;
    std::unique_ptr<PlaceClock> clock{};
  };
  Group& group_of(const MpiPlace* place) {
    return std::ranges::find_if(groups_, [&](const auto& group) { return &group.second.place == place; })->second;
  }
  Group make_group(const std::vector<RankSeat>& seats) const;
  void require_one_level();

  MPI_Comm own_ = MPI_COMM_NULL;
  int rank_ = 0;
  int ranks_ = 1;
  bool gives_way_ = library_gives_way();
  RankMap map_;
  std::map<std::string, Group> groups_;  ///< by the text of their seats
};

MpiLink::MpiLink() {
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &own_), "duplicating the communicator");
  check_mpi(MPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN), "setting the error handler");
  check_mpi(MPI_Comm_rank(own_, &rank_), "asking for the rank");
  check_mpi(MPI_Comm_size(own_, &ranks_), "asking for the number of ranks");
  require_one_level();
  std::string all;
  for (const std::string& text : gather(describe_self())) all += text + '\0';
  all = broadcast(all);
  for (std::size_t at = 0; at < all.size(); at = all.find('\0', at) + 1)
    map_.push_back(parse_rank(all.substr(at, all.find('\0', at) - at)));
  number_nodes(map_);
}

// A rank that could not read the campaign does not know what it needs.
void MpiLink::require_one_level() {
  std::string found;
  for (const std::string& level : gather(thread_level()))
    if (found.find(level) == found.npos) found += (found.empty() ? "" : ", ") + level;
  if (found.find(',') != found.npos)
    abort("MPI was started with different thread levels (" + found +
          "), since some ranks cannot read the campaign; set ASSAY_MPI_THREAD_LEVEL for all of them, to single, or to "
          "multiple for members that are threads");
}

MpiLink::~MpiLink() {
  for (auto& [seats, group] : groups_) {
    if (!group.has_members) continue;
    group.clock.reset();
    MPI_Comm_free(&group.starts);
    MPI_Comm_free(&group.place.communicator);
  }
  MPI_Comm_free(&own_);
}

std::string MpiLink::broadcast(const std::string& text) {
  MPI_Request request = MPI_REQUEST_NULL;
  int size = rank_ == 0 ? size_of(text) : 0;
  check_mpi(MPI_Ibcast(&size, 1, MPI_INT, 0, own_, &request), "notifying the other ranks");
  wait_politely(request);
  std::string told = rank_ == 0 ? text : std::string(static_cast<std::size_t>(size), '\0');
  check_mpi(MPI_Ibcast(told.data(), size, MPI_CHAR, 0, own_, &request), "notifying the other ranks");
  wait_politely(request);
  return told;
}

std::vector<std::string> MpiLink::gather(const std::string& text) {
  MPI_Request request = MPI_REQUEST_NULL;
  const bool leads = rank_ == 0;
  const int size = size_of(text);
  std::vector<int> sizes(static_cast<std::size_t>(leads ? ranks_ : 0));
  check_mpi(MPI_Igather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, own_, &request),
            "receiving from the other ranks");
  wait_politely(request);
  std::vector<int> starts;
  int sum = 0;
  for (const int each : sizes) {
    starts.push_back(sum);
    sum += each;
  }
  std::string all(static_cast<std::size_t>(sum), '\0');
  check_mpi(
      MPI_Igatherv(text.data(), size, MPI_CHAR, all.data(), sizes.data(), starts.data(), MPI_CHAR, 0, own_, &request),
      "receiving from the other ranks");
  wait_politely(request);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    texts.push_back(all.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(sizes[i])));
  return texts;
}

MpiLink::Group MpiLink::make_group(const std::vector<RankSeat>& seats) const {
  Group group;
  std::vector<int> ranks;
  for (const RankSeat& seat : seats) {
    auto found = std::ranges::find(ranks, seat.rank);
    if (found == ranks.end()) {
      ranks.push_back(seat.rank);
      group.place.nodes.push_back(map_.at(static_cast<std::size_t>(seat.rank)).node_number);
      group.place.members.push_back(0);
      found = ranks.end() - 1;
    }
    const auto at = found - ranks.begin();
    ++group.place.members[static_cast<std::size_t>(at)];
    group.place.seats.push_back(static_cast<int>(at));
  }
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group part = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(own_, &world), "grouping ranks");
  check_mpi(MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &part), "grouping ranks");
  check_mpi(MPI_Comm_create(own_, part, &group.starts), "making a communicator");
  MPI_Group_free(&part);
  MPI_Group_free(&world);
  group.has_members = group.starts != MPI_COMM_NULL;
  if (!group.has_members) return group;
  check_mpi(MPI_Comm_dup(group.starts, &group.place.communicator), "making a communicator");
  check_mpi(MPI_Comm_set_errhandler(group.place.communicator, MPI_ERRORS_ARE_FATAL), "setting the error handler");
  check_mpi(MPI_Comm_rank(group.place.communicator, &group.place.rank), "asking for the rank");
  group.place.thread_level = own_level();
  group.place.crowded = is_crowded(map_, seats);
  group.place.gives_way = gives_way_;
  MPI_Comm wire = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(group.starts, &wire), "making a communicator");
  group.clock = std::make_unique<PlaceClock>(make_mpi_wire(wire, group.place.nodes, group.place.crowded));
  group.place.time = group.clock.get();
  return group;
}

const MpiPlace* MpiLink::place(const std::vector<RankSeat>& seats) {
  const std::string key = to_text(seats);
  auto found = groups_.find(key);
  if (found == groups_.end()) found = groups_.emplace(key, make_group(seats)).first;
  return found->second.has_members ? &found->second.place : nullptr;
}

void MpiLink::start(const MpiPlace* place) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(group_of(place).starts, &request), "starting a batch");
  while (!has_come(request))
    if (place->crowded) std::this_thread::yield();
}

void MpiLink::abort(const std::string& why) {
  std::fprintf(stderr, "assay: error: %s; the launch ends, since other ranks may wait for this one\n", why.c_str());
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();
}

}  // namespace

MpiSession::MpiSession(bool has_threads) {
  int provided = 0;
  check_mpi(MPI_Init_thread(nullptr, nullptr, level_asked_for(has_threads), &provided), "starting MPI");
}

MpiSession::~MpiSession() { MPI_Finalize(); }

std::unique_ptr<RankLink> open_mpi_link() { return std::make_unique<MpiLink>(); }

std::string mpi_library_text() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  // One of the few functions that may be called before MPI_Init (MPI 3.1, section 8.1.1).
  if (MPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) return "unknown";
  std::string line(text.data());  // Open MPI's length counts the zero at the end
  return line.substr(0, line.find('\n'));
}

}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
// Caches of several processors over one memory, with store buffers: what states a protocol's steps lead to.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "line/operation.hpp"
#include "line/state.hpp"

namespace assay::test {

/// Which states a processor's caches have besides modified, exclusive, shared and invalid.
enum class Coherence : std::uint8_t {
  mesi,
  mesif,  ///< the last reader of a shared line is marked; told as `forward`
  moesi   ///< a modified line that others read stays with its writer, owned
};

/// Lines of one word each, on which the protocol of sync/line runs (line/protocol.hpp). Stores and flushes wait in the
/// processor's buffer until it completes them: a preparation that forgot to would be seen. Processors act one at a
/// time.
class ModelLines {
 public:
  struct Cached {
    LineState state = LineState::invalid;
    bool is_forward = false;
    bool operator==(const Cached&) const = default;
  };

  ModelLines(Coherence kind, int processors) : kind_(kind), buffers_(static_cast<std::size_t>(processors)) {}

  void store(int rank, std::size_t at, std::uint64_t key) { buffer(rank).push_back({at, key, false}); }
  void flush(int rank, std::size_t at) { buffer(rank).push_back({at, 0, true}); }
  /// A processor sees its own store before others do, and the line need not be there.
  std::uint64_t load(int rank, std::size_t at) {
    for (auto pending = buffer(rank).rbegin(); pending != buffer(rank).rend(); ++pending)
      if (pending->at == at && !pending->is_flush) return pending->key;
    fetch(rank, at);
    return line(at).word;
  }
  void complete(int rank) {
    if (!completes) return;
    for (const Pending& pending : buffer(rank)) {
      if (pending.is_flush)
        line(pending.at).caches.assign(buffers_.size(), {});
      else
        write(rank, pending.at, pending.key);
    }
    buffer(rank).clear();
  }
  void drain(int rank) { complete(rank); }

  static std::uint64_t place(std::size_t at) { return at; }
  template <LineOperation operation>
  std::uint64_t access(int rank, std::size_t at, std::uint64_t key) {
    if (before_access != nullptr) before_access(*this, at);
    if constexpr (operation == LineOperation::load) return load(rank, at);
    if constexpr (operation == LineOperation::store) return store(rank, at, key + 1), key;
    complete(rank);
    const std::uint64_t found = line(at).word;
    write(rank, at, operation == LineOperation::cas_fail ? found : key + 1);
    return returned_of(operation, found);
  }

  Cached cached(int rank, std::size_t at) { return line(at).caches[static_cast<std::size_t>(rank)]; }

  /// Called with the line right before each timed access.
  void (*before_access)(ModelLines&, std::size_t) = nullptr;
  /// Set false: a processor whose fences do nothing.
  bool completes = true;

 private:
  struct Pending {
    std::size_t at;
    std::uint64_t key;
    bool is_flush;
  };
  struct Line {
    std::uint64_t word = 0;
    std::vector<Cached> caches{};
  };

  std::vector<Pending>& buffer(int rank) { return buffers_[static_cast<std::size_t>(rank)]; }
  Line& line(std::size_t at) {
    Line& found = lines_[at];
    found.caches.resize(buffers_.size());
    return found;
  }
  void write(int rank, std::size_t at, std::uint64_t word) {
    Line& target = line(at);
    target.caches.assign(buffers_.size(), {});
    target.caches[static_cast<std::size_t>(rank)].state = LineState::modified;
    target.word = word;
  }
  void fetch(int rank, std::size_t at) {
    Line& source = line(at);
    Cached& own = source.caches[static_cast<std::size_t>(rank)];
    if (own.state != LineState::invalid) return;
    bool is_first = true;
    for (Cached& other : source.caches) {
      if (other.state == LineState::invalid) continue;
      is_first = false;
      const bool stays_dirty = other.state == LineState::modified && kind_ == Coherence::moesi;
      if (other.state != LineState::owned) other.state = stays_dirty ? LineState::owned : LineState::shared;
      other.is_forward = false;
    }
    own = {is_first ? LineState::exclusive : LineState::shared, !is_first && kind_ == Coherence::mesif};
  }

  Coherence kind_;
  std::vector<std::vector<Pending>> buffers_;
  std::map<std::size_t, Line> lines_;
};

}  // namespace assay::test

// SPDX-License-Identifier: Apache-2.0
// Cycles of blocks, and what happens between two of them.
#include "run/session/blocks.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace assay {
namespace {

/// What went wrong with a command; empty when nothing did, or when there is none.
std::string failure_of(const Surroundings& world, const std::string& command, Nanoseconds deadline) {
  if (command.empty()) return {};
  try {
    return world.execute(command, deadline);
  } catch (const PlatformError& error) {
    return error.what();
  }
}

}  // namespace

Blocks::~Blocks() {
  try {
    leave();
  } catch (const std::exception&) {
    // Something worse is being reported.
  }
}

std::string Blocks::block_of(const Point& point) const {
  const Variant* variant = variant_at(plan_, point);
  return variant != nullptr && variant->is_hard() ? variant->name : std::string();
}

const Variant* Blocks::variant_named(const std::string& block) const {
  const auto found = std::ranges::find(plan_.variants, block, &Variant::name);
  return found == plan_.variants.end() ? nullptr : &*found;
}

void Blocks::deal(const std::set<std::string>& due) {
  if (reverse_ && !dealt_.empty()) {
    order_ = dealt_;  // the last one first
  } else {
    dealt_ = rng_.shuffled(std::vector<std::string>(due.begin(), due.end()));
    order_.assign(dealt_.rbegin(), dealt_.rend());
  }
  reverse_ = !reverse_;
}

std::string Blocks::next(const std::set<std::string>& due) {
  const Variant* variant = variant_named(current_);
  const int lasting = variant != nullptr ? variant->rounds : Variant{}.rounds;
  if (rounds_ > 0 && rounds_ < lasting && due.contains(current_)) return current_;
  std::erase_if(order_, [&](const std::string& block) { return !due.contains(block); });
  if (order_.empty()) deal(due);
  std::erase_if(order_, [&](const std::string& block) { return !due.contains(block); });
  if (order_.empty()) return *due.begin();  // new since the cycle was dealt
  std::string block = std::move(order_.back());
  order_.pop_back();
  return block;
}

void Blocks::enter(const std::string& block) {
  if (block == current_) {
    ++rounds_;
    return;
  }
  leave();
  const Variant* variant = variant_named(block);
  if (variant != nullptr) {
    world_.write(VariantRecord{block, session_, true});
    const std::string failure = failure_of(world_, variant->setup, variant->deadline);
    if (!failure.empty()) {
      world_.write(VariantRecord{block, session_, false});
      throw SetUpFailed("set-up of variant " + block + " failed: " + failure, worked_.contains(block));
    }
    worked_.insert(block);
  }
  current_ = block;
  rounds_ = 1;
}

void Blocks::leave() {
  const Variant* variant = variant_named(current_);
  current_.clear();
  rounds_ = 0;
  if (variant == nullptr) return;
  const std::string failure = failure_of(world_, variant->teardown, variant->deadline);
  if (!failure.empty()) throw TearDownFailed("tear-down of variant " + variant->name + " failed: " + failure);
  world_.write(VariantRecord{variant->name, session_, false});
}

bool Blocks::take_down(const std::string& variant) {
  if (variant_named(variant) == nullptr) return false;
  current_ = variant;
  leave();
  return true;
}

}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
// The queue of one connection: bounded, so that who sends faster than others read is held up.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace assay {

/// Items in the order in which they came, at most so many. Many may push, one pops; both wait in the kernel.
template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t most) : items_(most) {}

  /// Waits while the queue is full. False when it is closed, and the item is not in it.
  bool push(const T& item) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [&] { return closed_ || size_ < items_.size(); });
    if (closed_) return false;
    items_[(first_ + size_++) % items_.size()] = item;
    const bool was_empty = size_ == 1;
    lock.unlock();
    if (was_empty) has_items_.notify_one();
    return true;
  }
  /// Waits while the queue is empty. False when it is closed, whatever is in it.
  bool pop(T& item) {
    std::unique_lock lock(mutex_);
    has_items_.wait(lock, [&] { return closed_ || size_ > 0; });
    if (closed_) return false;
    item = items_[first_];
    first_ = (first_ + 1) % items_.size();
    --size_;
    lock.unlock();
    has_room_.notify_one();
    return true;
  }
  /// Ends every wait, now and later.
  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    has_room_.notify_all();
    has_items_.notify_all();
  }
  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return size_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable has_room_;
  std::condition_variable has_items_;
  std::vector<T> items_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  bool closed_ = false;
};

}  // namespace assay

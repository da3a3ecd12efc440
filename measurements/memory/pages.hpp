// SPDX-License-Identifier: Apache-2.0
// Anonymous memory of one's own, of pages of a chosen kind.
#pragma once
#include <cstddef>
#include <cstdint>

namespace assay {

/// Which pages memory is made of.
enum class PageKind : std::uint8_t {
  system,  ///< as the system gives them: what a program gets that does not ask
  small,   ///< base pages, also where the system would give huge ones
  huge     ///< transparent huge pages
};

/// A private mapping, page-aligned and zeroed; huge ones begin on a huge page. Its pages come to be where and when they
/// are first touched.
class Pages {
 public:
  static constexpr std::size_t huge_size = std::size_t{1} << 21U;

  /// Throws Unsupported when they cannot be had.
  Pages(std::size_t bytes, PageKind kind);
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages();

  std::byte* begin() const { return begin_; }
  std::size_t size() const { return bytes_; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(begin_);
  }

 private:
  std::size_t bytes_;
  std::size_t mapped_;
  std::byte* mapping_;
  std::byte* begin_;
};

/// Bytes of the mappings of this process that hold these pages which are huge pages now, as the kernel counts them.
/// Throws Unsupported where it is not reported.
std::size_t huge_bytes_of(const Pages& pages);

}  // namespace assay

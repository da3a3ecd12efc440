// SPDX-License-Identifier: Apache-2.0
// Distances of two CPUs that differ by less than what neighbours delay: a hypervisor moves them between the cores of
// one cache, which are not equally far from each other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace assay {

/// Learns from round trips that nothing delayed. A level is a mode of their logarithms that differs from each fuller
/// one by 4 % at the least, with a valley between the two of less than half of it, and of fewer by more than chance
/// explains (three standard deviations); with a twentieth of all.
class NearDistances {
 public:
  /// In ns, while both cores were alone. What is not above 0 is passed over.
  void add(double distance);
  /// What was found before, in ns: it holds until own readings show as many levels, or are 500.
  void confirm(std::vector<double> earlier);
  /// In three digits, ns, ascending.
  const std::vector<double>& levels() const { return levels_; }
  /// Changes with their number, and where one moves by more than 1 %.
  std::int64_t version() const { return version_; }

 private:
  void learn();
  double middle_of(std::span<const double> modes, std::size_t one) const;
  void use(std::vector<double> levels);

  std::map<int, std::size_t> bins_;  ///< readings
  std::size_t size_ = 0;
  std::size_t next_look_ = 60;  ///< readings
  std::vector<double> earlier_;
  std::vector<double> levels_;
  std::int64_t version_ = 0;
};

/// The nearest of them by ratio, if within 2 %; else 0.
double near_level(std::span<const double> levels, double distance);

}  // namespace assay

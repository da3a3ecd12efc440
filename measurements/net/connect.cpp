// SPDX-License-Identifier: Apache-2.0
// Reads the kernel's counts of connections.
#include "net/connect.hpp"

#include <fstream>
#include <sstream>
#include <string>

namespace assay {

ConnectFaults ConnectFaults::now() {
  std::ifstream file("/proc/net/netstat");
  return read(file);
}

ConnectFaults ConnectFaults::read(std::istream& text) {
  ConnectFaults faults;
  std::string names;
  std::string numbers;
  while (std::getline(text, names) && std::getline(text, numbers)) {
    std::istringstream name_words(names);
    std::istringstream number_words(numbers);
    std::string name;
    std::string number;
    while (name_words >> name && number_words >> number) {
      if (name == "ListenOverflows") faults.overflows = std::stoll(number);
      if (name == "TCPSynRetrans") faults.repeated = std::stoll(number);
    }
  }
  return faults;
}

}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
// Makes the objects that the web server serves.
#include "net/web_object.hpp"

#include <sys/mman.h>
#include <sys/socket.h>

#include "api/measurement.hpp"
#include "net/pattern.hpp"

namespace assay {
namespace {

int anonymous_file() {
  const int file = ::memfd_create("assay-web-object", MFD_CLOEXEC);
  if (file < 0 && (errno == ENOSYS || errno == EPERM))
    throw Unsupported("this kernel gives no file in memory (memfd_create: " + std::generic_category().message(errno) +
                      "), where the objects of the web server are");
  return file;
}

std::string content(std::size_t number, std::size_t size) {
  std::string text(size, '\0');
  fill_with_pattern({reinterpret_cast<std::byte*>(text.data()), size}, number);
  return text;
}

}  // namespace

WebObject::WebObject(std::size_t number, std::size_t size)
    : number_(number),
      size_(size),
      header_("HTTP/1.0 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: " + std::to_string(size) +
              "\r\n\r\n"),
      file_("opening a file in memory", anonymous_file()) {
  const std::string bytes = content(number, size);
  const auto written =
      uninterrupted("writing a file in memory", [&] { return ::pwrite(file_.number(), bytes.data(), size, 0); });
  if (static_cast<std::size_t>(written) != size) throw std::runtime_error("a file in memory was written in part");
}

std::string WebObject::response() const { return header_ + content(number_, size_); }

void send_all(int socket, const void* bytes, std::size_t size) {
  const auto* data = static_cast<const char*>(bytes);
  for (std::size_t sent = 0; sent < size;)
    sent += static_cast<std::size_t>(
        uninterrupted("sending on a socket", [&] { return ::send(socket, data + sent, size - sent, MSG_NOSIGNAL); }));
}

}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
// Registers streams of bytes, connections and a web server, all on this node.
#include "groups.hpp"
#include "net/bandwidth.hpp"
#include "net/connect.hpp"
#include "net/http.hpp"

namespace assay {
namespace {

Factor size_factor(const char* name, std::int64_t standard, const char* summary) {
  return {
      .name = name, .kind = FactorKind::quantitative, .unit = Unit::bytes, .standard = standard, .summary = summary};
}

Quantity rate_quantity(const char* summary) {
  return {.name = "bandwidth", .unit = Unit::bytes_per_second, .per = Per::batch, .summary = summary};
}

Traits two_members() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }

void register_bandwidth(Registry& registry) {
  registry.add<Bandwidth>(
      {.name = "net/bandwidth",
       .summary = "Bytes from member 1 to member 0, which asks for an amount of them and reads until all are there "
                  "(bw_pipe, bw_unix, bw_tcp); nothing is subtracted.",
       .quantities = {rate_quantity("bytes read, over the time"),
                      {.name = "time", .summary = "one amount, from the request to the last byte"},
                      {.name = "reads", .unit = Unit::count, .summary = "calls needed to read one amount"}},
       .factors = {{.name = "channel",
                    .standard = std::string("pipe"),
                    .words = {"pipe", "unix-stream", "unix-seqpacket", "tcp"},
                    .summary = "what carries the bytes; tcp is one connection over loopback with buffers of 1 MiB, "
                               "where the system permits"},
                   size_factor("block", 65536, "maximum that one call writes or reads"),
                   size_factor("amount", 10 << 20, "bytes of a repetition")},
       .members = exactly(2),
       .traits = two_members()});
}

void register_connect(Registry& registry) {
  registry.add<TcpConnect>(
      {.name = "net/connect",
       .summary =
           "A TCP connection over loopback, made and closed by member 0 and accepted by member 1, at most 64 at a time "
           "most so that none waits (lat_connect); nothing is subtracted.",
       .quantities = {{.name = "time", .summary = "socket, connect and close; with a call more where it ends by reset"},
                      {.name = "accepted", .unit = Unit::count, .summary = "connections accepted for each one made: 1"},
                      {.name = "faults",
                       .unit = Unit::count,
                       .per = Per::batch,
                       .summary =
                           "full queues and repeated requests counted by the kernel: such a batch claims no time"}},
       .factors = {{.name = "ending",
                    .standard = std::string("reset"),
                    .words = {"reset", "orderly"},
                    .summary = "what close does: reset leaves nothing behind; an orderly end, as lmbench's, keeps "
                               "each connection's port for a minute (TIME_WAIT)"}},
       .members = exactly(2),
       .traits = two_members()});
}

void register_http(Registry& registry) {
  registry.add<Http>(
      {.name = "net/http",
       .summary =
           "Fourteen objects of 116 bytes to 16 KiB fetched by HTTP/1.0 over loopback from a server that is member "
           "1, a connection for each (lat_http); nothing is subtracted.",
       .quantities = {rate_quantity("bytes of all responses, headers included, by the time of the pass"),
                      {.name = "time", .summary = "one pass: fourteen times connect, request, read to the end, close"},
                      {.name = "bytes", .unit = Unit::bytes, .summary = "received in one pass, headers included"}},
       .members = exactly(2),
       .traits = two_members()});
}

}  // namespace

void register_net(Registry& registry) {
  register_bandwidth(registry);
  register_connect(registry);
  register_http(registry);
}

}  // namespace assay

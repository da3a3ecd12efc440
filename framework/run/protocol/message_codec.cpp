// SPDX-License-Identifier: Apache-2.0
// The wire form of requests and replies: {"protocol", "number", "kind", "body"}.
#include "run/protocol/message_codec.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "run/protocol/fields.hpp"
#include "run/protocol/reply_codec.hpp"
#include "run/protocol/request_codec.hpp"
#include "text/json.hpp"

namespace assay {
namespace {

/// A message before its body is understood.
struct Envelope {
  std::int64_t number;
  std::string kind;
  const Json* body;
};

std::string seal(std::int64_t number, std::string_view kind, Json body) {
  return to_text(
      Json::Object{{"protocol", protocol_version}, {"number", number}, {"kind", kind}, {"body", std::move(body)}});
}

Envelope unseal(const Json& json, std::int64_t least_number) {
  Fields fields(json, "message");
  if (const auto theirs = fields.integer("protocol", 0); theirs != protocol_version)
    throw JsonError("messages of version " + std::to_string(theirs) + " where this program's are of version " +
                    std::to_string(protocol_version) + "; build both from the same sources");
  Envelope envelope{fields.integer("number", least_number), fields.text("kind"), &fields.take("body")};
  fields.done();
  return envelope;
}

/// The kind of each alternative, in the variant's order, with its reader.
template <class Message>
struct Kind {
  std::string_view name;
  Message (*decode)(const Json&);
};

constexpr std::array<Kind<Request>, 3> requests{
    {{"open", [](const Json& body) -> Request { return decode_open(body); }},
     {"visit", [](const Json& body) -> Request { return decode_visit(body); }},
     {"describe", [](const Json& body) -> Request { return decode_describe(body); }}}};

constexpr std::array<Kind<Reply>, 5> replies{
    {{"opened", [](const Json& body) -> Reply { return decode_opened(body); }},
     {"yield", [](const Json& body) -> Reply { return decode_yield(body); }},
     {"failed", [](const Json& body) -> Reply { return decode_failed(body); }},
     {"described", [](const Json& body) -> Reply { return decode_described(body); }},
     {"alive", [](const Json& body) -> Reply { return decode_alive(body); }}}};

template <class Message, std::size_t N>
std::string seal_as(const std::array<Kind<Message>, N>& kinds, const Message& message, std::int64_t number) {
  static_assert(N == std::variant_size_v<Message>);
  return seal(number, kinds.at(message.index()).name,
              std::visit([](const auto& alternative) { return encode_body(alternative); }, message));
}

template <class Message, std::size_t N>
Message decode_as(const std::array<Kind<Message>, N>& kinds, const Envelope& envelope) {
  const auto kind = std::ranges::find(kinds, envelope.kind, &Kind<Message>::name);
  if (kind == kinds.end()) throw JsonError("message.kind: '" + envelope.kind + "' is unknown");
  return kind->decode(*envelope.body);
}

}  // namespace

std::string encode(const Request& request, std::int64_t number) { return seal_as(requests, request, number); }

NumberedRequest decode_request(std::string_view line) {
  const Json json = parse_json(line);
  const Envelope envelope = unseal(json, 1);
  return {envelope.number, decode_as(requests, envelope)};
}

std::string encode(const Reply& reply, std::int64_t answers) { return seal_as(replies, reply, answers); }

NumberedReply decode_reply(std::string_view line) {
  const Json json = parse_json(line);
  const Envelope envelope = unseal(json, last_word);
  return {envelope.number, decode_as(replies, envelope)};
}

}  // namespace assay

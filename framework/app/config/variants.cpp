// SPDX-License-Identifier: Apache-2.0
// Reads and writes variants.
#include "app/config/variants.hpp"

#include <algorithm>

#include "app/config/plugins.hpp"
#include "base/typed.hpp"
#include "text/ini.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr std::string_view environment_prefix = "env.";
constexpr std::string_view blank = " \t";

// Reads the keys of one section.
class VariantReader {
 public:
  VariantReader(const NamedSection& header, const GivenSettings& given, Problems& problems)
      : header_(header), problems_(problems), environment_keys_(given.keys(header.section(), "env.")) {
    SectionSchema schema{header.section(), options_of("variant"), "'assay describe variant' lists the keys"};
    for (const std::string& key : environment_keys_)
      schema.options.push_back({header.section(), key, text_value(), {}, {}});
    settings_ = merge(schema, given.sources, problems.list());
  }

  Variant read() {
    Variant variant;
    variant.name = header_.name;
    if (variant.name == plain_variant)
      problems_.add(header_.at, "a variant cannot be named 'plain'", "this is the one without any changes",
                    "choose another name");
    variant.setup = text("setup");
    variant.teardown = text("teardown");
    variant.deadline = find("deadline")->as<Nanoseconds>().value_or(variant.deadline);
    variant.rounds = static_cast<int>(find("rounds")->as<std::int64_t>().value_or(variant.rounds));
    for (const std::string& key : environment_keys_)
      variant.environment.push_back(key.substr(environment_prefix.size()) + "=" + text(key));
    variant.program = text("program");
    variant.build = text("build");
    variant.against = text("against");
    variant.loader = text("loader");
    variant.libraries = split_paths(text("libraries"));
    variant.plugins = plugin_paths(split_paths(text("plugins")));
    if (!variant.loader.empty()) require_folders({variant.loader}, at("loader"), "loader", problems_);
    if (variant.loader.empty() && !variant.libraries.empty())
      problems_.add(at("libraries"), "libraries without a loader",
                    "the program's own loader looks where the system says",
                    "add loader = DIR/ld-linux-x86-64.so.2, that of the same C library");
    if (!variant.program.empty()) require_folders({variant.program}, at("program"), "program", problems_);
    return variant;
  }

 private:
  const Setting* find(const std::string& key) const {
    const auto found = settings_.find(header_.section() + "." + key);
    return found == settings_.end() ? nullptr : &found->second;
  }
  Where at(const std::string& key) const { return find(key) != nullptr ? find(key)->at : header_.at; }
  std::string text(const std::string& key) const {
    return find(key) != nullptr ? find(key)->as<std::string>().value_or("") : "";
  }

  const NamedSection& header_;
  Problems& problems_;
  std::vector<std::string> environment_keys_;
  Settings settings_;
};

std::string variant_line(const std::string& key, const std::string& value) { return key + " = " + value + "\n"; }

}  // namespace

std::vector<Variant> read_variants(const GivenSettings& given, Problems& problems) {
  std::vector<Variant> variants;
  for (const NamedSection& header : given.variants) variants.push_back(VariantReader(header, given, problems).read());
  return variants;
}

Factor variant_factor(const std::vector<Variant>& variants) {
  Factor factor{.name = "variant", .words = {plain_variant}, .summary = "the environment of the measurement"};
  for (const Variant& variant : variants) factor.words.push_back(variant.name);
  factor.standard = std::string(plain_variant);
  return factor;
}

std::string section_text(const Variant& variant) {
  std::string text = "\n[variant." + variant.name + "]\n";
  if (!variant.setup.empty()) text += variant_line("setup", value_text(variant.setup));
  if (!variant.teardown.empty()) text += variant_line("teardown", value_text(variant.teardown));
  text += variant_line("rounds", std::to_string(variant.rounds)) +
          variant_line("deadline", duration_text(variant.deadline));
  for (const std::string& entry : variant.environment) {
    const auto equals = entry.find('=');
    text +=
        variant_line(std::string(environment_prefix) + entry.substr(0, equals), value_text(entry.substr(equals + 1)));
  }
  if (!variant.program.empty()) text += variant_line("program", value_text(variant.program));
  if (!variant.build.empty()) text += variant_line("build", value_text(variant.build));
  if (!variant.against.empty()) text += variant_line("against", value_text(variant.against));
  if (!variant.loader.empty()) text += variant_line("loader", value_text(variant.loader));
  if (!variant.libraries.empty()) text += variant_line("libraries", value_text(joined(variant.libraries)));
  if (!variant.plugins.empty()) text += variant_line("plugins", value_text(joined(variant.plugins)));
  return text;
}

std::vector<std::string> split_paths(std::string_view list) {
  std::vector<std::string> paths;
  while (!list.empty()) {
    const auto length = std::min(list.find(','), list.size());
    const auto item = list.substr(0, length);
    list.remove_prefix(std::min(length + 1, list.size()));
    const auto first = item.find_first_not_of(blank);
    if (first != item.npos) paths.emplace_back(item.substr(first, item.find_last_not_of(blank) + 1 - first));
  }
  return paths;
}

void require_folders(const std::vector<std::string>& paths, const Where& at, const std::string& what,
                     Problems& problems) {
  for (const std::string& path : paths)
    if (path.find('/') == path.npos)
      problems.add(at, what + " " + shown_path(path) + " has no folder in its path", what + "s are never searched for",
                   "write ./" + path + " for one in the current folder");
}

}  // namespace assay

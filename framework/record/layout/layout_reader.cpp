// SPDX-License-Identifier: Apache-2.0
// Section by section; what is wrong is noted and the reading goes on.
#include "record/layout/layout_spec.hpp"

#include <algorithm>
#include <filesystem>

#include "base/escape.hpp"
#include "base/factor.hpp"
#include "text/ini.hpp"
#include "text/json.hpp"
#include "text/scale.hpp"
#include "text/suggest.hpp"
#include "text/text_piece.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr std::string_view layout_blanks = " \t";
constexpr std::size_t most_levels = 256;  // of an axis: a larger table would not be read

/// The rest behind a word, when the piece begins with it as a whole.
bool take_off(TextPiece& rest, std::string_view word) {
  if (!rest.text.starts_with(word)) return false;
  const TextPiece behind = rest.from(word.size());
  if (!behind.text.empty() && layout_blanks.find(behind.text.front()) == layout_blanks.npos) return false;
  rest = behind.trimmed();
  return true;
}

std::string take_word(TextPiece& rest) {
  const auto end = std::min(rest.text.find_first_of(layout_blanks), rest.text.size());
  std::string found(rest.text.substr(0, end));
  rest = rest.from(end).trimmed();
  return found;
}

/// Pieces between commas outside of double quotes.
std::vector<TextPiece> split(const TextPiece& whole) {
  std::vector<TextPiece> parts;
  std::size_t from = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= whole.text.size(); ++i) {
    if (i < whole.text.size() && whole.text[i] == '"') quoted = !quoted;
    if (i < whole.text.size() && (quoted || whole.text[i] != ',')) continue;
    parts.push_back(whole.upto(i).from(from).trimmed());
    from = i + 1;
  }
  return parts;
}

class LayoutReader {
 public:
  LayoutReader(const IniFile& file, const TextOf& reference) : file_(file), reference_(reference) {
    problems_ = file.problems;
  }

  LayoutSpec read(const std::string& name) {
    spec_.name = name;
    for (const IniSection& section : file_.sections) open(section);
    for (const IniEntry& entry : file_.entries) take(entry);
    check();
    if (!problems_.empty()) throw ConfigError(std::move(problems_));
    return std::move(spec_);
  }

 private:
  /// The place of a piece of the entry that is read.
  Where where(const TextPiece& piece) const {
    return {entry_->value_at.file, entry_->value_at.line, static_cast<int>(piece.position)};
  }
  void refuse(const TextPiece& piece, std::string what, std::string remedy, std::string why = {}) {
    refuse(where(piece), std::move(what), std::move(remedy), std::move(why));
  }
  void refuse(const Where& at, std::string what, std::string remedy, std::string why = {}) {
    problems_.push_back({at, std::move(what), std::move(why), std::move(remedy)});
  }

  void open(const IniSection& section) {
    const std::string& name = section.name;
    if (name == "layout" || name == "values" || name == "attributes") return;
    if (name.starts_with("table.")) {
      spec_.tables.emplace_back().key = name.substr(6);
      return;
    }
    if (name.starts_with("lines.")) {
      spec_.lines.emplace_back().key = name.substr(6);
      return;
    }
    refuse(section.at, "unknown section [" + name + "]",
           "there are [layout], [values], [attributes], [table.NAME] and [lines.NAME]");
  }

  void take(const IniEntry& entry) {
    entry_ = &entry;
    const TextPiece value{entry.value, static_cast<std::size_t>(entry.value_at.column)};
    if (entry.section == "layout") return take_head(entry, value);
    if (entry.section == "values") return take_value(entry.key, value);
    if (entry.section == "attributes") return take_attribute(entry.key, value);
    for (TableSpec& table : spec_.tables)
      if (entry.section == "table." + table.key) return take_table(table, entry, value);
    for (LinesSpec& lines : spec_.lines)
      if (entry.section == "lines." + lines.key) return take_lines(lines, entry);
  }

  void unknown_key(const IniEntry& entry, const std::vector<std::string>& known) {
    refuse(entry.key_at, "unknown key '" + entry.key + "' in [" + entry.section + "]", suggestion(entry.key, known));
  }

  void take_head(const IniEntry& entry, const TextPiece& value) {
    if (entry.key == "summary") {
      spec_.summary = plain_text(entry.value);
    } else if (entry.key == "note") {
      spec_.note = plain_text(entry.value);
    } else if (entry.key == "baseline") {
      spec_.baseline = plain_text(entry.value);
    } else if (entry.key == "letters") {
      spec_.letters = yes_or_no(value);
    } else if (entry.key == "reference") {
      take_reference(value);
    } else {
      unknown_key(entry, {"summary", "note", "baseline", "letters", "reference"});
    }
  }

  bool yes_or_no(const TextPiece& value) {
    if (value.text != "yes" && value.text != "no")
      refuse(value, "neither yes nor no: " + shown(value.text), "write 'yes' or 'no'");
    return value.text == "yes";
  }

  void take_reference(const TextPiece& value) {
    const std::string name = plain_text(value.text);
    const auto text = reference_(name);
    if (!text) return refuse(value, "there is no reference " + shown(name), "name a file beside the layout's");
    try {
      spec_.reference = parse_reference(*text);
    } catch (const JsonError& error) {
      refuse(value, "the reference " + shown(name) + " cannot be read", "correct it; doc/layouts.md has its form",
             error.what());
    }
  }

  // [[STATISTIC] QUANTITY of] MEASUREMENT [where FACTOR = LEVEL, ...]
  void take_value(const std::string& name, TextPiece rest) {
    ValueSpec value{name, {}, {}, statistic_in(rest), {}};
    value.measurement = take_word(rest);
    if (take_off(rest, "of")) {
      value.quantity = std::move(value.measurement);
      value.measurement = take_word(rest);
    }
    if (take_off(rest, "where"))
      for (const TextPiece& part : split(rest)) take_level(value, part);
    else if (!rest.text.empty() || value.measurement.empty())
      refuse(rest, "'" + name + "' has another form",
             "write [[mean|between|within] QUANTITY of] MEASUREMENT [where FACTOR=LEVEL, ...]");
    spec_.values.push_back(std::move(value));
  }

  static Statistic statistic_in(TextPiece& rest) {
    if (take_off(rest, "mean")) return Statistic::mean;
    if (take_off(rest, "between")) return Statistic::between;
    return take_off(rest, "within") ? Statistic::within : Statistic::median;
  }

  void take_level(ValueSpec& value, const TextPiece& part) {
    const auto equals = part.text.find('=');
    if (equals == part.text.npos) return refuse(part, "a condition without '='", "write FACTOR=LEVEL");
    std::string level = plain_text(trimmed(part.text.substr(equals + 1)));
    if (const auto number = parse_number(level)) level = to_text(*number);
    value.where.emplace_back(trimmed(part.text.substr(0, equals)), std::move(level));
  }

  void take_attribute(const std::string& name, const TextPiece& value) {
    AttributeSpec attribute{name, {}};
    for (const TextPiece& part : split(value)) attribute.sources.emplace_back(part.text);
    spec_.attributes.push_back(std::move(attribute));
  }

  void take_table(TableSpec& table, const IniEntry& entry, const TextPiece& value) {
    if (entry.key.starts_with("row.")) return take_item(table.row_items, entry.key.substr(4), value);
    if (entry.key.starts_with("column.")) return take_item(table.column_items, entry.key.substr(7), value);
    if (entry.key == "cell") {
      std::vector<ItemSpec> cell;
      take_item(cell, "cell", value);
      if (!cell.empty()) table.cell = std::move(cell.front());
    } else if (entry.key == "rows" || entry.key == "columns" || entry.key == "each") {
      (entry.key == "rows" ? table.rows : entry.key == "columns" ? table.columns : table.each) = axis(value);
    } else {
      take_text(table, entry, value);
    }
  }

  void take_text(TableSpec& table, const IniEntry& entry, const TextPiece& value) {
    if (entry.key == "title") {
      table.title = plain_text(entry.value);
    } else if (entry.key == "note") {
      table.note = plain_text(entry.value);
    } else if (entry.key == "group") {
      table.group = plain_text(entry.value);
    } else if (entry.key == "unit") {
      table.unit = unit(value);
    } else if (entry.key == "about") {
      for (const TextPiece& part : split(value)) table.about.emplace_back(part.text);
      attributes_.push_back({table.about, entry.value_at});
    } else if (entry.key == "bars") {
      table.bars = yes_or_no(value);
    } else {
      unknown_key(entry, {"title", "note", "group", "unit", "rows", "columns", "each", "about", "cell", "bars",
                          "row.NAME", "column.NAME"});
    }
  }

  std::string unit(const TextPiece& value) {
    if (!multiple_named(value.text))
      refuse(value, "unknown unit " + shown(value.text), "write ns, us, ms, s, B, KB, MB, 1/s, MB/s, MHz, %, ...");
    return std::string(value.text);
  }

  // systems [by ATTRIBUTE] [: LEVELS] or factor NAME [: LEVELS]
  AxisSpec axis(const TextPiece& value) {
    AxisSpec axis;
    const auto colon = std::min(value.text.find(':'), value.text.size());
    TextPiece head = value.upto(colon).trimmed();
    if (take_off(head, "systems")) {
      axis.kind = AxisSpec::Kind::systems;
      if (take_off(head, "by")) axis.name = take_word(head);
    } else if (take_off(head, "factor")) {
      axis.kind = AxisSpec::Kind::factor;
      axis.name = take_word(head);
    }
    const bool is_named = axis.kind == AxisSpec::Kind::systems || !axis.name.empty();
    if (axis.kind == AxisSpec::Kind::none || !is_named || !head.text.empty())
      refuse(value, "not an axis: " + shown(value.text), "write 'systems', 'systems by ATTRIBUTE' or 'factor NAME'");
    if (colon < value.text.size()) take_levels(axis, value.from(colon + 1).trimmed());
    return axis;
  }

  void take_levels(AxisSpec& axis, const TextPiece& list) {
    const bool is_number = !list.text.empty() && parse_number(list.text.substr(0, list.text.find_first_of(",. \t")));
    const auto domain =
        parse_domain(list.text, is_number ? FactorKind::quantitative : FactorKind::categorical, most_levels);
    if (domain.error)
      return refuse(list.from(domain.error->offset).trimmed(), domain.error->what, domain.error->remedy);
    for (const Value& level : domain.domain.levels) {
      const auto* text = std::get_if<std::string>(&level);
      axis.levels.push_back(text != nullptr ? *text : to_text(level));
    }
  }

  // ["LABEL"] FORMULA [in UNIT] [as STYLE]
  void take_item(std::vector<ItemSpec>& items, const std::string& key, TextPiece rest) {
    ItemSpec item;
    item.key = item.label = key;
    if (const auto label = unquoted(rest.text)) {
      item.label = label->content;
      rest = rest.from(label->length).trimmed();
    }
    FormulaResult formula = parse_formula(rest.text);
    if (!formula.is_good())
      return refuse(rest.from(formula.error.offset).trimmed(), formula.error.what, formula.error.remedy);
    item.text = trimmed(rest.text.substr(0, formula.length));
    item.formula = std::move(formula.root);
    formulas_.push_back({item.formula, where(rest)});
    rest = rest.from(formula.length).trimmed();
    if (take_off(rest, "in")) {
      const TextPiece name = rest.upto(rest.text.find_first_of(layout_blanks));
      item.unit = unit(name);
      rest = rest.from(name.text.size()).trimmed();
    }
    if (take_off(rest, "as")) take_style(item, rest);
    items.push_back(std::move(item));
  }

  void take_style(ItemSpec& item, TextPiece rest) {
    if (take_off(rest, "percent")) {
      item.style = Style::percent;
    } else if (take_off(rest, "times")) {
      item.style = Style::times;
    } else if (take_off(rest, "more")) {
      item.style = Style::more;
      item.words = rest.text;
      rest = rest.from(rest.text.size());
    }
    if (item.style == Style::number || !rest.text.empty())
      refuse(rest, "unknown style " + shown(rest.text), "write 'percent', 'times' or 'more WORDS'");
  }

  void take_lines(LinesSpec& lines, const IniEntry& entry) {
    if (entry.key == "title") {
      lines.title = plain_text(entry.value);
    } else if (entry.key == "of") {
      lines.value = plain_text(entry.value);
      uses_.push_back({lines.value, entry.value_at});
    } else if (entry.key == "text") {
      lines.text = plain_text(entry.value);
    } else {
      unknown_key(entry, {"title", "of", "text"});
    }
  }

  // What needs the whole file.
  void check() {
    for (const auto& [formula, at] : formulas_)
      for (const std::string& name : values_in(formula)) uses_.push_back({name, at});
    std::vector<std::string> known;
    for (const ValueSpec& value : spec_.values) known.push_back(value.name);
    for (const auto& [name, at] : uses_)
      if (std::ranges::find(known, name) == known.end())
        refuse(at, "there is no value " + shown(name), suggestion(name, known), "section [values] does not declare it");
    check_attributes();
    for (const IniSection& section : file_.sections)
      for (const TableSpec& table : spec_.tables)
        if (section.name == "table." + table.key) check_table(table, section.at);
  }

  void check_attributes() {
    std::vector<std::string> known{"variant", "campaign", "library"};
    for (const AttributeSpec& attribute : spec_.attributes) known.push_back(attribute.name);
    for (const auto& [names, at] : attributes_)
      for (const std::string& name : names)
        if (std::ranges::find(known, name) == known.end())
          refuse(at, "there is no attribute " + shown(name), suggestion(name, known),
                 "section [attributes] does not declare it");
  }

  void check_table(const TableSpec& table, const Where& at) {
    if (!table.about.empty() && table.rows.kind != AxisSpec::Kind::systems)
      refuse(at, "table '" + table.key + "' has attributes of rows that are no systems", "write rows = systems",
             "'about' needs systems as rows");
    if (table.row_items.empty() && table.rows.kind == AxisSpec::Kind::none)
      refuse(at, "table '" + table.key + "' has no rows", "write rows = ... or row.NAME = ...");
    if (table.column_items.empty() && table.columns.kind == AxisSpec::Kind::none)
      refuse(at, "table '" + table.key + "' has no columns", "write columns = ... or column.NAME = ...");
    const bool crosses = table.rows.kind != AxisSpec::Kind::none && table.columns.kind != AxisSpec::Kind::none;
    if (crosses && !table.cell) refuse(at, "table '" + table.key + "' has no cell", "write cell = FORMULA");
  }

  struct Use {
    std::string name;
    Where at;
  };
  struct Found {
    FormulaNode formula;
    Where at;
  };
  struct Attributes {
    std::vector<std::string> names;
    Where at;
  };

  const IniFile& file_;
  const IniEntry* entry_ = nullptr;  ///< that is read
  const TextOf& reference_;
  LayoutSpec spec_;
  std::vector<Problem> problems_;
  std::vector<Found> formulas_;
  std::vector<Attributes> attributes_;
  std::vector<Use> uses_;
};

}  // namespace

LayoutSpec parse_layout(std::string_view text, const std::string& file, const TextOf& reference) {
  const IniFile ini = parse_ini(text, file);
  return LayoutReader(ini, reference).read(std::filesystem::path(file).stem().string());
}

}  // namespace assay

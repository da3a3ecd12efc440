// SPDX-License-Identifier: Apache-2.0
// A file of SQLite with its statements and transactions; the one door to that library.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/units.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace assay {

/// What a column holds or a parameter is given.
using Datum = std::variant<std::monostate, std::int64_t, double, std::string>;

class Database;

/// A prepared statement. Borrows its database.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  /// Gives the parameters in their order and starts anew.
  Statement& with(const std::vector<Datum>& values);
  /// To the next row; false behind the last one. Throws as Database does.
  bool step();
  /// To the end.
  void run();
  /// Columns of the current row, from 0. NULL is 0, NaN or an empty text.
  std::int64_t integer(int column) const;
  double number(int column) const;
  std::string text(int column) const;

 private:
  struct Finish {
    void operator()(sqlite3_stmt* statement) const;
  };
  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finish> statement_;
};

/// An open file. Everything throws ResultError where it is no database, is damaged, or is in use by another process for
/// longer than the patience; StorageError where it cannot be written; PlatformError where it cannot be read.
class Database {
 public:
  enum class Access : std::uint8_t { read, write };
  /// With Access::write a missing file is created, for its owner alone.
  Database(const std::string& path, Access access, Nanoseconds patience);
  void run(const std::string& sql);
  const std::string& path() const { return path_; }

 private:
  friend class Statement;
  struct Close {
    void operator()(sqlite3* database) const;
  };
  [[noreturn]] void refuse(int code) const;
  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

/// Everything until commit() is kept whole or not at all. Takes the right to write at once.
class Transaction {
 public:
  explicit Transaction(Database& database);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace assay

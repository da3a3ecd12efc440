// SPDX-License-Identifier: Apache-2.0
// SQLite's results as values, and its errors as what to do about them.
#include "app/archive/database.hpp"

#include <sqlite3.h>

#include <filesystem>
#include <limits>
#include <new>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"

namespace assay {
namespace {

constexpr int longest_value = 1 << 28;  // of one text or statement, in bytes

// Binds one value; texts are copied.
struct Binder {
  sqlite3_stmt* statement;
  int at;
  int operator()(std::monostate) const { return sqlite3_bind_null(statement, at); }
  int operator()(std::int64_t value) const { return sqlite3_bind_int64(statement, at, value); }
  int operator()(double value) const { return sqlite3_bind_double(statement, at, value); }
  int operator()(const std::string& text) const {
    constexpr auto copied = static_cast<std::intptr_t>(-1);  // SQLITE_TRANSIENT, which is written as a cast of C
    const auto destructor = reinterpret_cast<sqlite3_destructor_type>(copied);  // NOLINT(performance-no-int-to-ptr)
    return sqlite3_bind_text64(statement, at, text.data(), text.size(), destructor, SQLITE_UTF8);
  }
};

bool is_about_writing(int code) {
  return code == SQLITE_READONLY || code == SQLITE_CANTOPEN || code == SQLITE_PERM || code == SQLITE_IOERR ||
         code == SQLITE_AUTH;
}

}  // namespace

void Statement::Finish::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Database::Database(const std::string& path, Access access, Nanoseconds patience) : path_(path) {
  // A limit on the size of files is an error of the write that meets it.
  ignore_size_signal();
  const bool is_new = access == Access::write && !std::filesystem::exists(path);
  const int flags = access == Access::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
  database_.reset(opened);
  if (opened == nullptr) throw std::bad_alloc();
  if (code != SQLITE_OK) refuse(code);
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_busy_timeout(opened, static_cast<int>(patience.count / 1e6));
  // The file may come from another user: nothing in it is executed.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, longest_value);
  using std::filesystem::perms;
  std::error_code ignored;
  if (is_new) std::filesystem::permissions(path, perms::owner_read | perms::owner_write, ignored);
  run("PRAGMA foreign_keys = ON");
}

void Database::run(const std::string& sql) {
  const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) refuse(code);
}

void Database::refuse(int code) const {
  const int kind = code & 0xff;
  const std::string reason = sqlite3_errmsg(database_.get());
  if (kind == SQLITE_NOMEM) throw std::bad_alloc();
  if (kind == SQLITE_NOTADB)
    throw ResultError(path_ + ": is not a database; name another file with --file; nothing was changed");
  if (kind == SQLITE_CORRUPT)
    throw ResultError(path_ + ": is damaged (" + reason +
                      "); move it away and add the campaigns again, whose journals have everything");
  if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED)
    throw ResultError(path_ + ": another process is writing it; nothing was changed; try again");
  const int error = sqlite3_system_errno(database_.get());
  if (kind == SQLITE_FULL)
    throw StorageError(path_ + ": no room on the disk; nothing was changed; make room and try again", 0);
  if (is_about_writing(kind))
    throw StorageError(
        path_ + ": " + reason + "; nothing was changed; make it and its folder accessible, or name another with --file",
        error);
  throw ResultError(path_ + ": has not the tables of a history (" + reason + "); name another file with --file");
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  sqlite3_stmt* made = nullptr;
  const int code =
      sqlite3_prepare_v2(database.database_.get(), sql.data(), static_cast<int>(sql.size()), &made, nullptr);
  statement_.reset(made);
  if (code != SQLITE_OK) database.refuse(code);
}

Statement& Statement::with(const std::vector<Datum>& values) {
  sqlite3_reset(statement_.get());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int code = std::visit(Binder{statement_.get(), static_cast<int>(i + 1)}, values[i]);
    if (code != SQLITE_OK) database_.refuse(code);
  }
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  // Before anything else is called: the reason belongs to this statement.
  if (code != SQLITE_DONE) database_.refuse(code);
  sqlite3_reset(statement_.get());
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

double Statement::number(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::numeric_limits<double>::quiet_NaN();
  return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? std::string() : std::string(bytes, size);
}

Transaction::Transaction(Database& database) : database_(database) { database_.run("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.run("ROLLBACK");
  } catch (...) {
    // After some errors it has been rolled back already; what is thrown is the reason for it.
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace assay

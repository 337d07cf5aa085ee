// One Lua state with only the sandbox: own allocator, metered calls, the allowed names of environment.hpp and the files
// of one bundle. Scripts have no pcall, so an exceeded budget always ends the call. One thread at a time.
#pragma once
#include <lua.hpp>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/lua/vm/budget.hpp"
#include "core/lua/vm/bundle.hpp"
#include "core/lua/vm/freeze.hpp"
#include "core/lua/vm/table_access.hpp"

namespace tideover::lua {

class Sandbox {
 public:
  /// Throws std::bad_alloc when there is no memory for a state.
  Sandbox(std::shared_ptr<const Bundle> bundle, TableSet tables, Coverage* coverage = nullptr);

  lua_State* state() { return state_.get(); }
  const Bundle& bundle() const { return *bundle_; }

  /// Runs the top level of a file and leaves its one result, frozen, on the stack. On failure the stack is unchanged
  /// and the text has the reason ("file:line: message" where Lua has the position).
  [[nodiscard]] std::optional<std::string> run_file(const std::string& file);

  /// Calls the function below its arguments. Leaves exactly one result, or none and returns the reason.
  [[nodiscard]] std::optional<std::string> call(int arguments, const Limits& limits);

  /// Instructions and processor time of the last call, as of the last check.
  std::int64_t spent() const { return budget_->spent(); }
  std::chrono::nanoseconds processor_time() const { return budget_->processor_time(); }

  /// After calls of functions of these files: resets reassigned upvalues and returns their names, so that a call cannot
  /// pass data to the next.
  std::vector<Sealer::Reassigned> restore(std::span<const Sealer::Cells> of_files) {
    return sealer_->restore(of_files);
  }
  /// Number of frozen upvalues: those of the last file end here.
  std::size_t cell_count() const { return sealer_->cell_count(); }
  void note_table_reads_in(TableReads* reads) { access_->reads = reads; }
  /// The names that a rule file can use without declaring them, and the functions of its libraries.
  std::map<std::string, std::set<std::string>, std::less<>> global_names();
  /// After a call: runs the garbage collector, which is stopped during calls.
  void collect();

 private:
  struct Close {
    void operator()(lua_State* state) const { lua_close(state); }
  };
  static int load_library(lua_State* state);
  static int open_table(lua_State* state);
  const std::string* library_text(const char* name) const;
  std::string take_error(int status);
  void forget_unfinished_libraries();

  std::shared_ptr<const Bundle> bundle_;
  std::unique_ptr<TableAccess> access_;
  std::unique_ptr<Budget> budget_;
  std::unique_ptr<lua_State, Close> state_;
  std::optional<Sealer> sealer_;
  int environment_ = 0;  // registry references
  int libraries_ = 0;    // name -> result of the file, or true while it runs
  int tables_ = 0;       // name -> result of table(name)
  bool loading_ = false;
  std::size_t collected_at_ = 0;  // allocated bytes at the last collection step
};

}  // namespace tideover::lua

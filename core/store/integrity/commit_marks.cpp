#include "core/store/integrity/commit_marks.hpp"

#include <iomanip>
#include <random>
#include <sstream>

namespace tideover::store {
namespace {

std::string random_name() {
  std::random_device random;
  std::ostringstream name;
  name << std::hex << std::setfill('0');
  for (int word = 0; word < 4; ++word) name << std::setw(8) << random();
  return name.str();
}

class CommitMarks final : public CommitWitness {
 public:
  void mark(sql::Session& session) override {
    session.run(
        "INSERT INTO commit_marks (lane, batch, questions, marked_at_s) VALUES (?, ?, 0, UNIX_TIMESTAMP()) "
        "ON DUPLICATE KEY UPDATE batch = VALUES(batch), marked_at_s = VALUES(marked_at_s)",
        lane_, ++batch_);
  }

  bool was_kept(sql::Session& session) override {
    session.begin();
    session.run(
        "INSERT INTO commit_marks (lane, batch, questions, marked_at_s) VALUES (?, 0, 1, UNIX_TIMESTAMP()) "
        "ON DUPLICATE KEY UPDATE questions = questions + 1",
        lane_);
    const auto visible = session.first([](const sql::Row& row) { return row.integer(0); },
                                       "SELECT batch FROM commit_marks WHERE lane = ?", lane_);
    session.commit();  // the answer is valid only after the question was committed
    return visible == batch_;
  }

 private:
  const std::string lane_ = random_name();
  std::int64_t batch_ = 0;
};

}  // namespace

std::unique_ptr<CommitWitness> new_commit_witness() {
  return std::make_unique<CommitMarks>();
}

void forget_old_commit_marks(sql::Session& session) {
  try {
    session.run("DELETE FROM commit_marks WHERE marked_at_s < UNIX_TIMESTAMP() - 7 * 86400");
  } catch (const sql::SqlError& error) {
    if (error.kind != sql::SqlError::Kind::conflict) throw;  // another node that starts now removes them
  }
}

}  // namespace tideover::store

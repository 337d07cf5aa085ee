// Tasks as JSON (core/docs/contract.md#tasks).
#pragma once
#include <string>
#include <vector>

#include "core/domain/operations/task.hpp"
#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "core/usecases/tasks/read_tasks.hpp"

namespace tideover::wire {

usecases::TaskDecision decode_task_decision(const json::Value& body, Faults& faults);
/// The reason for undoing a match.
std::string decode_undo_reason(const json::Value& body, Faults& faults);
std::string encode_task(const domain::Task& task);
/// With its proposals; `explain` adds every candidate of the matching steps.
std::string encode_task_view(const usecases::TaskView& view, bool explain);
std::string encode_tasks(const std::vector<domain::Task>& tasks, const PageFrame& page);

}  // namespace tideover::wire

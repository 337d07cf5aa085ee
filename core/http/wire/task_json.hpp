// Tasks on the wire (contract section 7).
#pragma once
#include <string>
#include <vector>

#include "core/domain/task.hpp"
#include "core/http/wire/object_reader.hpp"
#include "core/usecases/decide_task.hpp"

namespace tideover::wire {

usecases::TaskDecision decode_task_decision(const json::Value& body, Faults& faults);
std::string encode_task(const domain::Task& task);
std::string encode_tasks(const std::vector<domain::Task>& tasks, std::size_t limit);

}  // namespace tideover::wire

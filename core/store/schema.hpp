// The schema of this binary: the files of core/store/migrations, built in.
#pragma once
#include <vector>

#include "core/store/sql/migrator.hpp"

namespace tideover::store {

std::vector<sql::Migration> schema();

}  // namespace tideover::store

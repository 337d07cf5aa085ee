// Conditions of queries over all tenants that compare a time with the time of the tenant of each row
// (core/docs/sandbox_clock.md). The first part uses the index of the column, the second one is exact. Each condition
// takes the same parameter twice.
#pragma once

#define MOST_SHIFT(unit) "(SELECT COALESCE(MAX(shift_" unit "), 0) FROM sandbox_clocks WHERE shift_" unit " > 0)"
#define SHIFT_OF(unit, tenant) \
  "COALESCE((SELECT sandbox_clocks.shift_" unit " FROM sandbox_clocks WHERE sandbox_clocks.tenant = " tenant "), 0)"

/// `time` is a column of milliseconds. Parameters: the real time, twice.
#define TIME_HAS_COME(time, tenant) time " <= ? + " MOST_SHIFT("ms") " AND " time " <= ? + " SHIFT_OF("ms", tenant)
/// The same for rows with the column in_progress: while it is 1, `time` is the end of a lease, which is real time.
#define IS_DUE(time, tenant) \
  time " <= ? + " MOST_SHIFT("ms") " AND " time " <= ? + (1 - in_progress) * " SHIFT_OF("ms", tenant)
/// `day` is a column of days. Parameters: the day by the real time, twice. Includes the day after.
#define DAY_HAS_COME(day, tenant) day " <= ? + " MOST_SHIFT("days") " AND " day " <= ? + " SHIFT_OF("days", tenant)

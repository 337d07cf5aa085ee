-- Rules see these names and no others; tests/rules/shipped_rules_test holds this list equal to the service.
std = 'none'
files['api/rules/tideover.meta.lua'] = { ignore = { '.*' } }
files['.luacheckrc'] = { ignore = { '.*' } }
max_line_length = false  -- tests/tidy limits the lines of all sources
read_globals = {
  'usd', 'pct', 'bps', 'npi_check', 'procedure_code_ok', 'modifiers_ok', 'lib', 'table',
  'ipairs', 'pairs', 'error', 'tostring', 'tonumber', 'type', 'select',
  string = { fields = { 'len', 'sub', 'byte', 'upper', 'lower', 'rep', 'find' } },
  math = { fields = { 'maxinteger', 'mininteger', 'abs', 'ceil', 'floor', 'fmod', 'max', 'min', 'tointeger', 'type', 'ult' } },
}

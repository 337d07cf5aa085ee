std = 'lua54'
globals = {}
read_globals = { 'usd', 'pct', 'bps', 'npi_check', 'procedure_code_ok', 'modifiers_ok', 'lib', 'table' }
max_line_length = 120

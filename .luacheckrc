std = 'lua54'
globals = {}
read_globals = { 'usd', 'pct' }
max_line_length = 120

-- café
return { id = "denial.fuzz", rev = 1, mode = "shadow", family = "t", reason = { group = "CO", code = "16" }, summary = "café", fix = "", evaluate = function() while true do end end }

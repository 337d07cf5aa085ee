-- Which procedure codes are visits (evaluation and management), by the ranges of the code book.
local visits = {}

local ranges = { { '99202', '99499' }, { '92002', '92014' }, { 'G0402', 'G0402' }, { 'G0438', 'G0439' } }
local new_patient = { { '99202', '99205' }, { '99381', '99387' }, { '92002', '92004' }, { '99341', '99345' } }

local function within(code, list)
  if #code ~= 5 then return false end
  for i = 1, #list do
    if code >= list[i][1] and code <= list[i][2] then return true end
  end
  return false
end

function visits.is_visit(code) return within(code, ranges) end
function visits.is_of_new_patient(code) return within(code, new_patient) end

return visits

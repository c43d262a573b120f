-- Bring what lists say of a study to a version.
--
-- KEYS  1 summary, then the indexes it stands in
-- ARGV  1 id   2 version   3 summary as JSON   4 score in the lists (ms)
local indexes = {}
for i = 2, #KEYS do
  indexes[#indexes + 1] = KEYS[i]
end
list(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4], indexes)
return 1

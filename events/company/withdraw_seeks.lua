-- Withdraw open seeks of a player.
--
-- ARGV  1 player   2 id, '' for all   3 '1': only live ones whose game has not begun
--
-- Returns how many there were.
local count = 0
for _, id in ipairs(redis.call('SMEMBERS', 'seeks_of:' .. ARGV[1])) do
  local seek = (ARGV[2] == '' or ARGV[2] == id) and read_seek(id)
  if seek and (ARGV[3] ~= '1' or seek.mode == 'live' and seek.table == '') then
    forget_seek(seek)
    count = count + 1
  end
end
return count

-- Withdraw open seeks of a player.
--
-- ARGV  1 player   2 id, '' for all
--
-- Returns how many there were.
local count = 0
for _, id in ipairs(redis.call('SMEMBERS', 'seeks_of:' .. ARGV[1])) do
  if ARGV[2] == '' or ARGV[2] == id then
    local seek = read_seek(id)
    if seek then
      forget_seek(seek)
      count = count + 1
    end
    redis.call('SREM', 'seeks_of:' .. ARGV[1], id)
  end
end
return count

-- Take what is due: entries of a sorted set of times, with their texts.
--
-- What is taken is due again after a lease, so nothing is lost with a process that dies.
--
-- KEYS  1 sorted set: entry -> ms since the epoch   2 hash: entry -> text
-- ARGV  1 now in ms since the epoch   2 end of the lease   3 how many at most
--
-- Returns entry, text, entry, text, …

local taken = {}
for _, entry in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])) do
  local text = redis.call('HGET', KEYS[2], entry)
  if text then
    redis.call('ZADD', KEYS[1], ARGV[2], entry)
    taken[#taken + 1] = entry
    taken[#taken + 1] = text
  else
    redis.call('ZREM', KEYS[1], entry)
  end
end
return taken

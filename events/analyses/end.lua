-- End an analysis under way: it is done, or has failed.
--
-- KEYS  1 the analysis   2 its decisions
-- ARGV  1 when the analysis was asked for   2 status   3 seconds for which the analysis is kept
--       4 name of a field   5 its value   and so on
--
-- Returns 1, or 0 when the analysis has ended already, or is another one.

local found = redis.call('HMGET', KEYS[1], 'status', 'at')
if (found[1] ~= 'queued' and found[1] ~= 'running') or found[2] ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'status', ARGV[2], unpack(ARGV, 4))
redis.call('HDEL', KEYS[1], 'attempts')
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1

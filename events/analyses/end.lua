-- End an analysis under way: it is done, or has failed.
--
-- KEYS  1 the analysis   2 its decisions   3 the analyses under way   4 the counts
-- ARGV  1 when the analysis was asked for   2 game id   3 status   4 name of a field   5 its value
--       6 seconds for which the analysis is kept   7 what is counted
--
-- Returns 1, or 0 when the analysis has ended already, or is another one.

local found = redis.call('HMGET', KEYS[1], 'status', 'at')
if (found[1] ~= 'queued' and found[1] ~= 'running') or found[2] ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'status', ARGV[3], ARGV[4], ARGV[5])
redis.call('HDEL', KEYS[1], 'attempts')
redis.call('EXPIRE', KEYS[1], ARGV[6])
redis.call('EXPIRE', KEYS[2], ARGV[6])
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('HINCRBY', KEYS[4], ARGV[7], 1)
return 1

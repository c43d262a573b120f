-- Start the analysis of a game, unless it is there or under way.
--
-- KEYS  1 the analysis   2 its decisions
-- ARGV  1 hash of the last event of the game   2 level   3 ms since the epoch
--       4 seconds for which the analysis is kept
--
-- Returns the status of the analysis that is there, or '' when this call has started it. A failed
-- analysis goes on after its last decision. The decisions of another end of the game are dropped.

local found = redis.call('HMGET', KEYS[1], 'status', 'head', 'level')
local same = found[2] == ARGV[1] and found[3] == ARGV[2]
if same and found[1] ~= 'failed' then
  return found[1]
end
if not same then
  redis.call('DEL', KEYS[1], KEYS[2])
end
redis.call('HDEL', KEYS[1], 'reason', 'attempts')
redis.call('HSET', KEYS[1], 'status', 'queued', 'head', ARGV[1], 'level', ARGV[2], 'at', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return ''

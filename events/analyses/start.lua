-- Start the analysis of a game, unless it is there or under way.
--
-- KEYS  1 the analysis   2 its decisions   3 the analyses under way   4 the counts
-- ARGV  1 game id   2 hash of the last event of the game   3 level   4 ms since the epoch
--       5 seconds for which the analysis is kept
--
-- Returns the status of the analysis that is there, or '' when this call has started it. A failed
-- analysis goes on after its last decision. The decisions of another end of the game are dropped.

local found = redis.call('HMGET', KEYS[1], 'status', 'head', 'level')
local same = found[2] == ARGV[2] and found[3] == ARGV[3]
if same and found[1] == 'done' then
  return found[1]
end
if same and found[1] ~= 'failed' then
  redis.call('ZADD', KEYS[3], 'NX', ARGV[4], ARGV[1])
  return found[1]
end
if not same then
  redis.call('DEL', KEYS[1], KEYS[2])
end
redis.call('HDEL', KEYS[1], 'reason', 'attempts')
redis.call('HSET', KEYS[1], 'status', 'queued', 'head', ARGV[2], 'level', ARGV[3], 'at', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1])
redis.call('HINCRBY', KEYS[4], 'started', 1)
return ''

-- Add the next decision to an analysis under way.
--
-- KEYS  1 the analysis   2 its decisions
-- ARGV  1 when the analysis was asked for   2 index of the decision   3 the decision
--       4 number of decisions in all
--
-- Returns 1, or 0 when another worker has added this decision, or the analysis is another one.

local found = redis.call('HMGET', KEYS[1], 'status', 'at')
if (found[1] ~= 'queued' and found[1] ~= 'running') or found[2] ~= ARGV[1] then
  return 0
end
if redis.call('LLEN', KEYS[2]) ~= tonumber(ARGV[2]) then
  return 0
end
redis.call('RPUSH', KEYS[2], ARGV[3])
redis.call('PEXPIRE', KEYS[2], math.max(1, redis.call('PTTL', KEYS[1])))
redis.call('HSET', KEYS[1], 'status', 'running', 'total', ARGV[4], 'attempts', 0)
return 1

-- Reserve a place for a new game in the quotas of its opener, in one atomic step.
--
-- All keys carry the tag {projections}.
-- KEYS  the sorted sets of the quotas: the ids of the games that count
-- ARGV  1 game id   2 milliseconds for which the reservation lasts
--       then for each set: its limit (0: none), and 1 to enter the game or 0 only to look
--
-- A score above 0 is the time (ms since the epoch) at which the game leaves the set by itself. When
-- the game is projected (project.lua) its score becomes 0, and it stays until it ends.
--
-- Returns {0} reserved, {n, used, score} the n-th quota is used up by `used` games; when the game
-- with this score has left, there is a place (0: unknown).

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '(0', now)
  local limit, used = tonumber(ARGV[1 + 2 * i]), redis.call('ZCARD', key)
  if limit > 0 and used >= limit and not redis.call('ZSCORE', key, ARGV[1]) then
    return {i, used, redis.call('ZRANGE', key, used - limit, used - limit, 'WITHSCORES')[2]}
  end
end
for i, key in ipairs(KEYS) do
  if ARGV[2 + 2 * i] == '1' then
    redis.call('ZADD', key, 'NX', now + tonumber(ARGV[2]), ARGV[1])
  end
end
return {0}

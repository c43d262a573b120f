-- End the reservation of a game: the game leaves the set, or stays there for a time.
--
-- KEYS  sorted sets of quotas   ARGV  1 game id   2 milliseconds to stay, 0: the game leaves
--
-- Changes nothing where the game is projected or missing. See reserve.lua.

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local stay = tonumber(ARGV[2])

for _, key in ipairs(KEYS) do
  local score = redis.call('ZSCORE', key, ARGV[1])
  if score and tonumber(score) > 0 then
    if stay > 0 then
      redis.call('ZADD', key, now + stay, ARGV[1])
      redis.call('PEXPIRE', key, stay)
    else
      redis.call('ZREM', key, ARGV[1])
    end
  end
end
return 1

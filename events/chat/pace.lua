-- Count a message of a player against the limits of talk, in one step.
--
-- KEYS  1 sorted set: the messages of the player within the last hour -> ms since the epoch
-- ARGV  1 ms since the epoch   2 game id   3 nonce of the message
--       4 most messages in a short time   5 that time in ms
--       6 most messages at one table within the hour
--
-- Returns {0} counted, {1, ms} too many in a short time, {2, ms} too many at this table; after so
-- many ms there is a place again.

local HOUR = 3600000
local now = tonumber(ARGV[1])
local member = ARGV[2] .. ' ' .. ARGV[3]

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - HOUR)
-- A clock that was ahead for a moment must not silence a player.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')
if redis.call('ZSCORE', KEYS[1], member) then
  return {0}
end

local all = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
local recent, here = {}, {}
local prefix = ARGV[2] .. ' '
for i = 1, #all, 2 do
  local at = tonumber(all[i + 1])
  if at > now - tonumber(ARGV[5]) then
    recent[#recent + 1] = at
  end
  if string.sub(all[i], 1, #prefix) == prefix then
    here[#here + 1] = at
  end
end

local most = tonumber(ARGV[4])
if #recent >= most then
  return {1, recent[#recent - most + 1] + tonumber(ARGV[5]) - now}
end
most = tonumber(ARGV[6])
if #here >= most then
  return {2, here[#here - most + 1] + HOUR - now}
end
redis.call('ZADD', KEYS[1], now, member)
redis.call('PEXPIRE', KEYS[1], HOUR)
return {0}

-- Note that a web process works now; note an outage when no web process has worked for too long.
--
-- One step: a process that dies cannot leave a fresh heartbeat without the outage before it, and of
-- several processes that start at once only the first finds the gap.
--
-- KEYS  1 heartbeat   2 outages, a sorted set   3 the last heartbeats by format, a hash
-- ARGV  1 ms since the epoch, by the clock of the caller
--       2 a gap of more ms is an outage   3 ms that an outage lasts beyond its end
--       4 format of the release of this process
--
-- Returns {the heartbeat before, or false; begin and end of the outage that was noted, if any}.

local now, gap, margin = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local before = redis.call('GET', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1])

-- A heartbeat that stands under no format is of a release from before the formats stood here: 5.
local noted = not before
for _, one in ipairs(redis.call('HVALS', KEYS[3])) do
  noted = noted or one == before
end
if not noted then
  redis.call('HSET', KEYS[3], 5, before)
end
redis.call('HSET', KEYS[3], ARGV[4], ARGV[1])

local since = tonumber(before or '')
if not since or now - since <= gap then
  return {before}
end

-- Clocks of two machines that differ find a gap all the time: outages that touch are one entry.
local begin, till = since, now + margin
local last = redis.call('ZREVRANGE', KEYS[2], 0, 0)[1]
if last then
  local from, to = string.match(last, '^(%d+)-(%d+)$')
  from, to = tonumber(from), tonumber(to)
  if from and from <= since and since <= to then
    redis.call('ZREM', KEYS[2], last)
    begin, till = from, math.max(to, till)
  end
end
redis.call('ZADD', KEYS[2], begin, string.format('%.0f-%.0f', begin, till))
return {before, string.format('%.0f', begin), string.format('%.0f', till)}

-- Bring the summary of one game, its indexes and its place among the due ones to a version.
--
-- All keys carry the tag {projections}, so indexes that the game leaves need not be declared.
-- KEYS  1 summary hash   2 due sorted set
-- ARGV  1 version   2 game id   3 summary JSON   4 index keys, separated by spaces
--       5 milliseconds since the epoch from when on something is due, '' when nothing is
--
-- Returns 1, or 0 when the summary is at this version already or further.

local known = tonumber(redis.call('HGET', KEYS[1], 'version') or 0)
local version = tonumber(ARGV[1])
if known > version then
  return 0
end

-- Also at a version that is known: so repeating it repairs an entry that is lost or stale.
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[2], ARGV[2])
else
  redis.call('ZADD', KEYS[2], ARGV[5], ARGV[2])
end
if known == version then
  return 0
end

local before = redis.call('HGET', KEYS[1], 'indexes') or ''
if before ~= ARGV[4] then
  for key in string.gmatch(before, '%S+') do
    redis.call('ZREM', key, ARGV[2])
  end
  for key in string.gmatch(ARGV[4], '%S+') do
    redis.call('ZADD', key, 0, ARGV[2])
  end
end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'json', ARGV[3], 'indexes', ARGV[4])
return 1

-- Bring the summary of one tournament, its indexes and its place among the due ones, or among those
-- that may be archived, to a version.
--
-- KEYS  1 summary hash   2 due sorted set   3 sorted set of those that may be archived
-- ARGV  1 id   2 version   3 summary as JSON   4 ms since the epoch when to look again
--       5 ms since the epoch when the tournament has ended, '' before its end
--       6 '1' where all that follows from the end is done
--       then the keys of the indexes that the tournament stands in
--
-- A tournament that has ended is due until all that follows from its end is done; then it may be
-- archived.
local known = redis.call('HMGET', KEYS[1], 'version', 'indexes', 'settled')
if known[1] and tonumber(known[1]) > tonumber(ARGV[2]) then
  return 0
end
local indexes = {}
for i = 7, #ARGV do
  indexes[ARGV[i]] = true
end
for _, index in ipairs(cjson.decode(known[2] or '[]')) do
  if not indexes[index] then
    redis.call('ZREM', index, ARGV[1])
  end
end
local named = {}
for i = 7, #ARGV do
  redis.call('ZADD', ARGV[i], 0, ARGV[1])
  named[#named + 1] = ARGV[i]
end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'json', ARGV[3], 'indexes', cjson.encode(named))
if ARGV[5] ~= '' and (ARGV[6] == '1' or known[3]) then
  redis.call('HSET', KEYS[1], 'settled', 1)
  redis.call('ZREM', KEYS[2], ARGV[1])
  redis.call('ZADD', KEYS[3], 'GT', ARGV[5], ARGV[1])
else
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
end
return 1

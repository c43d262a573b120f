-- Bring the summary of one tournament, its indexes and its place among the due ones to a version.
--
-- KEYS  1 summary hash   2 due sorted set
-- ARGV  1 id   2 version   3 summary as JSON   4 ms since the epoch when to look again, '' for never
--       then the keys of the indexes that the tournament stands in
local known = redis.call('HMGET', KEYS[1], 'version', 'indexes')
if known[1] and tonumber(known[1]) > tonumber(ARGV[2]) then
  return 0
end
local indexes = {}
for i = 5, #ARGV do
  indexes[ARGV[i]] = true
end
for _, index in ipairs(cjson.decode(known[2] or '[]')) do
  if not indexes[index] then
    redis.call('ZREM', index, ARGV[1])
  end
end
local named = {}
for i = 5, #ARGV do
  redis.call('ZADD', ARGV[i], 0, ARGV[1])
  named[#named + 1] = ARGV[i]
end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'json', ARGV[3], 'indexes', cjson.encode(named))
if ARGV[4] == '' then
  redis.call('ZREM', KEYS[2], ARGV[1])
else
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
end
return 1

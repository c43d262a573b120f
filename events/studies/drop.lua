-- Delete a study for good: its events, its keys and its places in the lists. Its streams end.
--
-- Where its deletion was judged on a version, another version stays: it may have an author more.
--
-- KEYS  1 stream   2 idempotency hash   3 summary of the lists
-- ARGV  1 id   2 channel of its readers   3 version on which the deletion was judged, '' for any
--
-- Returns 1, or 0 when the study has another version.
if ARGV[3] ~= '' and redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[3]) then
  return 0
end
local indexes = redis.call('HGET', KEYS[3], 'indexes')
for _, index in ipairs(cjson.decode(indexes or '[]')) do
  redis.call('ZREM', index, ARGV[1])
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('SPUBLISH', ARGV[2], 'gone\n{}')
return 1

-- Delete a study for good: its events, its keys and its places in the lists. Its streams end.
--
-- KEYS  1 stream   2 idempotency hash   3 summary of the lists
-- ARGV  1 id   2 channel of its readers
local indexes = redis.call('HGET', KEYS[3], 'indexes')
for _, index in ipairs(cjson.decode(indexes or '[]')) do
  redis.call('ZREM', index, ARGV[1])
end
local deleted = redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('SPUBLISH', ARGV[2], 'gone\n{}')
return deleted

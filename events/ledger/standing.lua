-- Set the standing answers of one player of a game, in one atomic step, once for each key.
--
-- KEYS  1 idempotency hash   2 hash of the standing answers by player
-- ARGV  1 player id   2 answers as JSON, '' for no answers   3 the new revision
--       4 idempotency field or ''   5 digest of the request
--
-- Returns the record of a key that was used before, else nothing.
--
-- append.lua compares the revision, which it finds in the hash that it reads anyway. A game without
-- answers has no revision. A revision never comes back, so no process takes old answers for new.

if ARGV[4] ~= '' then
  local record = redis.call('HGET', KEYS[1], ARGV[4])
  if record then
    return record
  end
  redis.call('HSET', KEYS[1], ARGV[4], '0 0 ' .. ARGV[5])
end
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[2], ARGV[1])
else
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
end
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HSET', KEYS[1], 'standing', ARGV[3])
else
  redis.call('HDEL', KEYS[1], 'standing')
end
return false

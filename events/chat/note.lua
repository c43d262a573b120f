-- Keep the private note of a player on a game, once for each idempotency key.
--
-- KEYS  1 idempotency hash   2 hash of the notes   3 stream of the events
-- ARGV  1 idempotency field or ''   2 digest of the request   3 player   4 text, '' for no note
--
-- Returns {1} kept, {2, record} the key was used before, {3} the game is not in the store.

if ARGV[1] ~= '' then
  local record = redis.call('HGET', KEYS[1], ARGV[1])
  if record then
    return {2, record}
  end
end
-- The pin of a writer that stood still for too long is over: the game may be in the archive by now.
if redis.call('EXISTS', KEYS[3]) == 0 then
  return {3}
end
if ARGV[1] ~= '' then
  redis.call('HSET', KEYS[1], ARGV[1], '0 0 ' .. ARGV[2])
end
if ARGV[4] == '' then
  redis.call('HDEL', KEYS[2], ARGV[3])
else
  redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
end
return {1}

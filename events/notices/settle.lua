-- Settle entries that were taken, and add the deliveries that follow from them, in one step.
--
-- KEYS  1 sorted set: entry -> ms since the epoch   2 hash: entry -> text
--       3 sorted set of the deliveries   4 hash of the deliveries
-- ARGV  1 number of entries   then for each: entry, the text that was taken, ms since the epoch to
--       which it is put off, '' to remove it, and the text that it has then
--       then id, ms, text of each delivery that follows
--
-- An entry with another text than the one that was taken is newer and stays as it is. When no entry
-- was settled, another process has done so: then nothing follows. Returns the number of entries.

local settled, first = 0, 2 + 4 * tonumber(ARGV[1])
for i = 2, first - 1, 4 do
  local entry, taken, later, text = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  if redis.call('HGET', KEYS[2], entry) == taken then
    settled = settled + 1
    if later == '' then
      redis.call('ZREM', KEYS[1], entry)
      redis.call('HDEL', KEYS[2], entry)
    else
      redis.call('ZADD', KEYS[1], later, entry)
      redis.call('HSET', KEYS[2], entry, text)
    end
  end
end
if settled > 0 then
  for i = first, #ARGV, 3 do
    if redis.call('HSETNX', KEYS[4], ARGV[i], ARGV[i + 2]) == 1 then
      redis.call('ZADD', KEYS[3], ARGV[i + 1], ARGV[i])
    end
  end
end
return settled

-- Settle entries that were taken, and add the deliveries that follow from them, in one step.
--
-- KEYS  1 sorted set: entry -> ms since the epoch   2 hash: entry -> text
--       3 sorted set of the deliveries   4 hash of the deliveries
--       5 when this was done last (ms): only where it may be done once in a while
-- ARGV  1 number of entries   2 now in ms since the epoch   3 the pause in ms after 5, '' without 5
--       then for each entry: entry, the text that was taken, ms since the epoch to which it is put
--       off, '' to remove it, and the text that it has then
--       then id, ms, text of each delivery that follows
--
-- An entry with another text than the one that was taken is newer and stays as it is. When no entry
-- was settled, another process has done so: then nothing follows. Returns the number of entries, -1
-- within the pause.

if KEYS[5] then
  local last = redis.call('GET', KEYS[5])
  if last and tonumber(ARGV[2]) - tonumber(last) < tonumber(ARGV[3]) then
    return -1
  end
end
local settled, first = 0, 4 + 4 * tonumber(ARGV[1])
for i = 4, first - 1, 4 do
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
  if KEYS[5] then
    redis.call('SET', KEYS[5], ARGV[2], 'PX', ARGV[3])
  end
end
return settled

-- Note the result of a game that counts, and from where on its bucket has to be folded again.
--
-- KEYS  1 hash id -> result   2 sorted set id -> ms since the epoch   3 hash bucket -> "<ms> <id>"
--       4 hash of the voided games   5 set of the buckets   6 hash id -> step
-- ARGV  1 bucket   2 id   3 ms since the epoch   4 the result as JSON
--       5 how the keys of the players' rated games begin
--
-- Returns 1, or 0 when the result is known or voided.

if redis.call('HEXISTS', KEYS[4], ARGV[2]) == 1 then
  return 0
end
local known = redis.call('HGET', KEYS[1], ARGV[2])
if known == ARGV[4] then
  return 0
end

local function mark(at, id)
  local before = redis.call('HGET', KEYS[3], ARGV[1])
  if before then
    local ms, other = string.match(before, '^(%d+) (.*)$')
    if tonumber(ms) < tonumber(at) or (tonumber(ms) == tonumber(at) and other <= id) then
      return
    end
  end
  redis.call('HSET', KEYS[3], ARGV[1], at .. ' ' .. id)
end

if known then
  -- The store had lost the end of the game, and the game has ended again: what followed from the
  -- first end must not be found at its place any more.
  mark(redis.call('ZSCORE', KEYS[2], ARGV[2]), ARGV[2])
  for _, entrant in ipairs(cjson.decode(known).entrants) do
    if entrant.player then
      redis.call('ZREM', ARGV[5] .. entrant.player, ARGV[2])
    end
  end
  redis.call('HDEL', KEYS[6], ARGV[2])
end
mark(ARGV[3], ARGV[2])
redis.call('HSET', KEYS[1], ARGV[2], ARGV[4])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
redis.call('SADD', KEYS[5], ARGV[1])
return 1

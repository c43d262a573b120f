-- Count a finished game for its players, once.
--
-- KEYS  1 hash with the games that are counted   2 sorted set of the deleted players
--       for each share: hash of figures, sorted set of opponents, hash of endings,
--       sorted set of the games since the last time-out
-- ARGV  1 id   2 whether others may learn of the game: 1 or 0   3 ms since the epoch of its end
--       4 games since a time-out that are kept   5 the largest number of an opponent
--       6 the shares as JSON; all numbers in it are texts
--
-- Returns 1, or 0 for a game that is counted.

if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then
  return 0
end

local function add(key, sums)
  for name, number in pairs(sums) do
    redis.call('HINCRBY', key, name, number)
  end
end

local function raise_best(key, score)
  local known = redis.call('HMGET', key, 'b', 'i')
  if known[1] then
    local best = tonumber(known[1])
    if best > tonumber(score) or (best == tonumber(score) and known[2] < ARGV[1]) then
      return
    end
  end
  redis.call('HSET', key, 'b', score, 'i', ARGV[1])
end

local function meet(key, opponents)
  for opponent, number in pairs(opponents) do
    local known = redis.call('ZSCORE', key, opponent)
    if not known or tonumber(known) < tonumber(ARGV[5]) then
      redis.call('ZINCRBY', key, number, opponent)
    end
  end
end

local function note_end(endings, steady, timed_out)
  local last = tonumber(redis.call('HGET', endings, 'z') or '0')
  local at = tonumber(ARGV[3])
  if timed_out and at > last then
    redis.call('HSET', endings, 'z', ARGV[3])
    redis.call('ZREMRANGEBYSCORE', steady, '-inf', ARGV[3])
  elseif not timed_out and at > last then
    redis.call('ZADD', steady, ARGV[3], string.sub(ARGV[1], -8))
    redis.call('ZREMRANGEBYRANK', steady, 0, -1 - tonumber(ARGV[4]))
  end
end

for number, share in ipairs(cjson.decode(ARGV[6])) do
  local first = 4 * number - 1
  -- A game that ends after an account was deleted does not make a profile again.
  if not redis.call('ZSCORE', KEYS[2], share.player) then
    add(KEYS[first], share.sums)
    if share.best then
      raise_best(KEYS[first], share.best)
    end
    meet(KEYS[first + 1], share.opponents)
    add(KEYS[first + 2], share.endings)
    note_end(KEYS[first + 2], KEYS[first + 3], share.timed_out)
  end
end
return 1

-- Give a local game of a guest to an account, which keeps its own under the same id.
--
-- KEYS  1 the local games of the guest      2 their summaries
--       3 the local games of the account    4 their summaries
-- ARGV  1 id
--
-- Changes nothing where the guest has no such game: it has moved already.

local game, summary = redis.call('HGET', KEYS[1], ARGV[1]), redis.call('HGET', KEYS[2], ARGV[1])
if game and redis.call('HSETNX', KEYS[3], ARGV[1], game) == 1 then
  redis.call('HDEL', KEYS[4], ARGV[1])
  if summary then
    redis.call('HSET', KEYS[4], ARGV[1], summary)
  end
end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
return 1

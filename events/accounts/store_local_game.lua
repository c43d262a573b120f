-- Store a local game of a player, and what a list says of it, in one atomic step.
--
-- KEYS  1 the local games of the player   2 their summaries   3 the player
-- ARGV  1 id   2 the game   3 its summary   4 so many games an account keeps
--       5 the time of storing of the game that this one goes on from, '' for any
--
-- Returns {'stored'}, or what hinders: {'gone'} the account is deleted or has merged, {'full', n}
-- the account has n games, {'stale', time} another device has stored this game meanwhile.

local gone = redis.call('HMGET', KEYS[3], 'deleted_at', 'merged_into')
if gone[1] or gone[2] then
  return {'gone'}
end
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if not kept then
  local used = redis.call('HLEN', KEYS[1])
  if used >= tonumber(ARGV[4]) then
    return {'full', used}
  end
elseif ARGV[5] ~= '' then
  local stored_at = string.match(kept, '^{"stored_at":"([^"]*)"')
  if stored_at ~= ARGV[5] then
    return {'stale', stored_at}
  end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
return {'stored'}

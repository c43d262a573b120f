-- Append events to one game: idempotency key, version, events, record, outbox, publication, in one
-- atomic step.
--
-- KEYS  1 events stream   2 idempotency hash   3 outbox stream   4 channel of the game
-- ARGV  1 expected version          2 nonce of this append
--       3 idempotency field or ''   4 digest of the request
--       5 game id                   6 type of the last event    7... events as JSON
--
-- Returns {1, last version} appended, {2, record} the key was used before,
--         {0, current version} the expected version is not the current one.

local field = ARGV[3]
if field ~= '' then
  local record = redis.call('HGET', KEYS[2], field)
  if record then
    return {2, record}
  end
end

local version = redis.call('XLEN', KEYS[1])
local expected = tonumber(ARGV[1])
if version ~= expected then
  -- A client that lost its connection sends the same append again: it has been done already.
  if redis.call('HGET', KEYS[2], 'last') == ARGV[2] then
    return {1, version}
  end
  return {0, version}
end

for i = 7, #ARGV do
  version = version + 1
  redis.call('XADD', KEYS[1], version .. '-0', 'event', ARGV[i])
end
redis.call('HSET', KEYS[2], 'last', ARGV[2])
if field ~= '' then
  redis.call('HSET', KEYS[2], field, (expected + 1) .. ' ' .. version .. ' ' .. ARGV[4])
end
redis.call('XADD', KEYS[3], '*', 'game', ARGV[5], 'version', version, 'type', ARGV[6])
-- The channel and the events have one hash tag, so a cluster publishes on the node of the game.
-- Long events are not copied to every process: a process that gets the version alone reads them.
local news = table.concat(ARGV, '\n', 7)
if #news > 32768 then
  news = ''
end
redis.call('SPUBLISH', KEYS[4], version .. '\n' .. news)
return {1, version}

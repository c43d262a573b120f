-- Write to a room of a game: a message, or the stub of a message that is deleted, in one step.
--
-- All keys carry the hash tag of the game. Nothing here belongs to the ledger but the record of the
-- idempotency key, so that a key leads to one request, whatever the request writes.
-- KEYS  1 idempotency hash   2 stream of the room   3 stream of the other room
--       4 stream of the events
-- ARGV  1 idempotency field or ''   2 digest of the request   3 ms since the epoch
--       4 the message as JSON       5 nonce of this write     6 entry to delete, '' for a message
--       7 most entries of a room
--
-- Returns {1, ms, number} the place of the new entry, {2, record} the key was used before,
--         {0} the entry to delete is missing, {3} the game is not in the store.

local RECENT = 20

local function last_of(key)
  local found = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  if not found then
    return 0, -1
  end
  local ms, number = string.match(found[1], '(%d+)-(%d+)')
  return tonumber(ms), tonumber(number)
end

if ARGV[1] ~= '' then
  local record = redis.call('HGET', KEYS[1], ARGV[1])
  if record then
    return {2, record}
  end
end

-- The pin of a writer that stood still for too long is over: the game may be in the archive by now.
if redis.call('EXISTS', KEYS[4]) == 0 then
  return {3}
end

-- A client that lost its connection sends the same write again.
for _, entry in ipairs(redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', RECENT)) do
  for i = 1, #entry[2], 2 do
    if entry[2][i] == 'nonce' and entry[2][i + 1] == ARGV[5] then
      local ms, number = string.match(entry[1], '(%d+)-(%d+)')
      return {1, ms, number}
    end
  end
end

-- The ids rise over both rooms, so that one cursor serves a reader of both.
local ms, number = last_of(KEYS[2])
local other_ms, other_number = last_of(KEYS[3])
if other_ms > ms or (other_ms == ms and other_number > number) then
  ms, number = other_ms, other_number
end
local now = tonumber(ARGV[3])
if now > ms then
  ms, number = now, -1
end
local text_ms, text_number = string.format('%.0f', ms), string.format('%.0f', number + 1)

if ARGV[6] ~= '' and redis.call('XDEL', KEYS[2], ARGV[6]) == 0 then
  return {0}
end
local id = text_ms .. '-' .. text_number
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[7], id, 'message', ARGV[4], 'nonce', ARGV[5])
if ARGV[1] ~= '' then
  redis.call('HSET', KEYS[1], ARGV[1], text_ms .. ' ' .. text_number .. ' ' .. ARGV[2])
end
return {1, text_ms, text_number}

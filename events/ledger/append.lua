-- Append events to one game, or to one tournament: idempotency key, predecessor, events, record,
-- outbox, publication, in one atomic step.
--
-- KEYS  1 stream of a game (`{id}:events`), or of a tournament (`{id}:tournament`)
--       2 idempotency hash   3 outbox stream
--       4... what is kept next to the stream and changes with this append
-- ARGV  1 version before this append        2 hash of the event before it, 64 zeros for the first
--       3 nonce of this append              4 idempotency field or ''
--       5 digest of the request             6 game id              7 type of the last event
--       8 hash of the last event            9 number of events
--       10 revision of the standing answers that the events were judged with, '' without answers,
--       '*' where they do not matter (see standing.lua)
--       then the events as JSON, then a value for each key from 4 on: '' deletes the key,
--       then the trace that goes on with the entry of the outbox; left out without traces
--
-- Returns {1, last version of this append} appended, {2, record} the key was used before,
--         {0, current version} this append does not follow the last event,
--         {3, current version} the standing answers have another revision.

local expected, count = tonumber(ARGV[1]), tonumber(ARGV[9])

-- A client that lost its connection sends the same append again. Each event keeps the nonce of its
-- append, so the append is recognised after any number of later events.
local function is_stored()
  local id = (expected + 1) .. '-0'
  local entry = redis.call('XRANGE', KEYS[1], id, id)[1]
  if entry then
    for i = 1, #entry[2], 2 do
      if entry[2][i] == 'nonce' then
        return entry[2][i + 1] == ARGV[3]
      end
    end
  end
  return false
end

local known = redis.call('HMGET', KEYS[2], 'head', ARGV[4], 'standing')
local version = redis.call('XLEN', KEYS[1])
-- A stream from before the chain has no head until its next event.
local follows = version == expected and (not known[1] or known[1] == ARGV[2])
if known[2] or not follows then
  local stored = is_stored()
  -- Written again, so that a replica that confirms this command has the append as well.
  if known[1] and (stored or known[2]) then
    redis.call('HSET', KEYS[2], 'head', known[1])
  end
  if stored then
    return {1, expected + count}
  end
end
if known[2] then
  return {2, known[2]}
end
if not follows then
  return {0, version}
end
if ARGV[10] ~= (known[3] or '') and ARGV[10] ~= '*' then
  return {3, version}
end

for i = 11, 10 + count do
  version = version + 1
  redis.call('XADD', KEYS[1], version .. '-0', 'event', ARGV[i], 'nonce', ARGV[3])
end
if ARGV[4] == '' then
  redis.call('HSET', KEYS[2], 'head', ARGV[8])
else
  local record = (expected + 1) .. ' ' .. version .. ' ' .. ARGV[5]
  redis.call('HSET', KEYS[2], 'head', ARGV[8], ARGV[4], record)
end
for i = 4, #KEYS do
  local value = ARGV[7 + count + i]
  if value == '' then
    redis.call('DEL', KEYS[i])
  else
    redis.call('SET', KEYS[i], value)
  end
end
if string.sub(KEYS[1], -11) == ':tournament' then
  redis.call('XADD', KEYS[3], '*', 'game', ARGV[6], 'version', version, 'type', ARGV[7],
    'kind', 'tournament')
  redis.call('SPUBLISH', '{' .. ARGV[6] .. '}:tournament:live', 'tournament\n{}')
  return {1, version}
end
local trace = ARGV[8 + count + #KEYS]
if trace then
  redis.call('XADD', KEYS[3], '*', 'game', ARGV[6], 'version', version, 'type', ARGV[7],
    'trace', trace)
else
  redis.call('XADD', KEYS[3], '*', 'game', ARGV[6], 'version', version, 'type', ARGV[7])
end
-- The channel and the events have one hash tag, so a cluster publishes on the node of the game.
-- Long events are not copied to every process: a process that gets the version alone reads them.
local news = table.concat(ARGV, '\n', 11, 10 + count)
if #news > 32768 then
  news = ''
end
-- The channel is not among the keys: there is never a key of that name, and a cluster refuses a
-- script while a slot is being moved of whose keys some are missing.
redis.call('SPUBLISH', '{' .. ARGV[6] .. '}:live', version .. '\n' .. news)
return {1, version}

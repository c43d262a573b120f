-- Remove a game from the store that is in the archive, unless it has changed since it was read.
--
-- All keys carry the hash tag of the game.
-- KEYS  1 events stream   2 the pin of the game   3... further keys that are removed
-- ARGV  1 fingerprint of the values that were archived (see fingerprint.lua)
--       2 the number of keys, from the first on and without the pin, that the fingerprint covers
--
--       3 the time of the server until which the fingerprint counts, in ms since the epoch
--
-- An archiver that was frozen comes too late: its row may have left the archive meanwhile.
--
-- Returns 1 removed, 0 changed, pinned or too late: the game stays, 2 the game is not in the store.

if redis.call('EXISTS', KEYS[1]) == 0 then
  return 2
end
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 0
end
local time = redis.call('TIME')
if tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) >= tonumber(ARGV[3]) then
  return 0
end
local names = { KEYS[1] }
for i = 3, #KEYS do
  names[#names + 1] = KEYS[i]
end
local found = {}
for i = 1, tonumber(ARGV[2]) do
  found[i] = redis.sha1hex(redis.call('DUMP', names[i]) or '')
end
if redis.sha1hex(table.concat(found)) ~= ARGV[1] then
  return 0
end
redis.call('UNLINK', unpack(names))
return 1

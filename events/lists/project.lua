-- Bring the summary of one game, its indexes and its place among the due ones to a version.
--
-- All keys carry the tag {projections}, so indexes that the game leaves need not be declared.
-- KEYS  1 summary hash   2 due sorted set   3 hash of what the inboxes know of each game
--       4 sorted set of the games that are over
-- ARGV  1 version   2 game id   3 summary JSON   4 index keys, separated by spaces
--       5 milliseconds since the epoch from when on something is due, '' when nothing is
--       6 hash of the event at this version, followed by ":sealed" while the game is sealed
--       7 what the stream has lost, as this script returned it, '' for nothing: a summary of it is
--       replaced
--       8 form of the summary: a summary of another form is replaced
--       9 the kind of what is due (`events.model.time.due`), '' when nothing is
--       10 key of the games in which it is the turn of a player, a space, the score; '' without one
--       11 what the inboxes must know of the game, '' for nothing   12 what they know after this
--       step, '' when this step tells them nothing   13 about how many items an inbox keeps
--       14 milliseconds since the epoch when the game ended, '' while it is not over
--       then player, id of the item, item as JSON, ms since the epoch or '', for each item
--
-- Returns {1, before, told}; {0, before, told} when the summary is at this version already; {-1, before,
-- told} when it is further, or of another event at this version: the store has lost one of the two.
-- `before` is the version of the summary before this step, a space, and what names its event;
-- `told` is what the inboxes know of the game then.

local found = redis.call('HMGET', KEYS[1], 'version', 'head', 'indexes', 'form', 'turn')
local told = redis.call('HGET', KEYS[3], ARGV[2]) or ''
local known = tonumber(found[1]) or 0
local version = tonumber(ARGV[1])
local head = found[2] or ''
local another = known == version and head ~= '' and
  string.gsub(head, ':sealed$', '') ~= string.gsub(ARGV[6], ':sealed$', '')
local before = known .. ' ' .. head
if (known > version or another) and before ~= ARGV[7] then
  return {-1, before, told}
end

-- Another dispatcher may have told the inboxes in the meantime: then no item comes twice.
if ARGV[12] ~= '' and ARGV[11] == told then
  told = ARGV[12]
  redis.call('HSET', KEYS[3], ARGV[2], told)
  for i = 15, #ARGV, 4 do
    add_item(ARGV[i], ARGV[13], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3])
    forget_ids(ARGV[i])
  end
end

-- Also at a version that is known: so repeating it repairs an entry that is lost or stale.
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[2], ARGV[2])
else
  redis.call('ZADD', KEYS[2], ARGV[5], ARGV[2])
end
redis.call('HSET', KEYS[1], 'waits', ARGV[9])
if ARGV[14] ~= '' then
  -- A game that was written to after its end keeps its later time.
  redis.call('ZADD', KEYS[4], 'GT', ARGV[14], ARGV[2])
end
local turn = found[5] or ''
if turn ~= ARGV[10] then
  if turn ~= '' then
    redis.call('ZREM', string.match(turn, '^%S+'), ARGV[2])
  end
  if ARGV[10] == '' then
    redis.call('HDEL', KEYS[1], 'turn')
  else
    local key, score = string.match(ARGV[10], '^(%S+) (%S+)$')
    redis.call('ZADD', key, score, ARGV[2])
    redis.call('HSET', KEYS[1], 'turn', ARGV[10])
  end
end
local same = head == '' or head == ARGV[6]
if known == version and same and found[4] == ARGV[8] then
  return {0, before, told}
end
-- A table that was read before the round of its game was closed: what is listed is newer.
if known == version and head ~= '' and head .. ':sealed' == ARGV[6] then
  return {0, before, told}
end

local indexed = found[3] or ''
if indexed ~= ARGV[4] then
  for key in string.gmatch(indexed, '%S+') do
    redis.call('ZREM', key, ARGV[2])
  end
  for key in string.gmatch(ARGV[4], '%S+') do
    redis.call('ZADD', key, 0, ARGV[2])
  end
end
local summary = {
  'version', ARGV[1], 'json', ARGV[3], 'indexes', ARGV[4], 'head', ARGV[6], 'form', ARGV[8]
}
redis.call('HSET', KEYS[1], unpack(summary))
return {1, before, told}

-- End a match: its seeks are done with, or wait again.
--
-- ARGV  1 ms since the epoch   2 text of the match   3 how long waits count, in ms
--       4 how many waits are kept   then id and what becomes of it, for each seek:
--       'done', 'dropped', 'open', 'avoid <seek>', or the id of a game that has begun, with a
--       space and the number of its seats
--
-- Returns 1, 0 when another process has ended the match.
local now = tonumber(ARGV[1])
if redis.call('ZREM', 'seek_matches', ARGV[2]) == 0 then
  return 0
end
local function note_wait(seek)
  local key = 'seek_waits:' .. seek.game .. ':' .. seek.mode
  redis.call('ZADD', key, now, math.max(0, now - seek.created) .. ':' .. seek.id)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - ARGV[3])
  redis.call('ZREMRANGEBYRANK', key, 0, -1 - ARGV[4])
  redis.call('PEXPIRE', key, ARGV[3])
end
for i = 5, #ARGV, 2 do
  local seek, fate = read_seek(ARGV[i]), ARGV[i + 1]
  if seek and (fate == 'done' or fate == 'dropped') then
    if fate == 'done' and seek.table == '' then
      note_wait(seek)
    end
    forget_seek(seek)
  elseif seek then
    local avoided = string.match(fate, '^avoid (%S+)$')
    if avoided then
      redis.call('HSET', 'seek:' .. seek.id, 'avoid', avoided)
    elseif fate ~= 'open' then
      note_wait(seek)
      seek.table, seek.sizes = string.match(fate, '^(%S+) (%d+)$')
      redis.call('HSET', 'seek:' .. seek.id, 'table', seek.table, 'sizes', seek.sizes)
    end
    list_seek(seek, now)
    if seek.mode == 'live' then
      redis.call('ZADD', 'seekers', 'NX', now, seek.player)
    end
  end
end
return 1

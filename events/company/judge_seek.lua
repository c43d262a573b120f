-- Look at an open seek again: forget it when it is over, match it when it can be matched.
--
-- ARGV  1 ms since the epoch   2 id   3 ms when it is looked at again   4 '1': begin with bots when
--       no match is found
--
-- Returns the text of a match, '' when the seek waits on or is gone.
local seek, now = read_seek(ARGV[2]), tonumber(ARGV[1])
if not seek or not redis.call('ZSCORE', 'seeks_due', ARGV[2]) then
  redis.call('ZREM', 'seeks_due', ARGV[2])
  return ''
end
if not is_alive(seek, now) then
  forget_seek(seek)
  return ''
end
redis.call('ZADD', 'seeks_due', ARGV[3], seek.id)
local found = match_seek(seek, now)
if found == '' and ARGV[4] == '1' and seek.table == '' then
  return note_match(seek.id, {seek}, now)
end
return found

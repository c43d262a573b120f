-- Add a seek and match it.
--
-- ARGV  1 ms since the epoch   2 how many seeks a player may have   3 id   4 player   5 game
--       6 mode of the pace   7 bucket   8 sizes of the table, rising, with commas
--       9 ms when it ends   10 ms when it is looked at again   11 the seek as JSON
--       12 '1': for a rated game   13 lowest and 14 highest rating of the others, '' for any
--       15 how reliable the others are in percent, '' for any
--
-- A seek that wants the same as an open one of this player changes that one's terms instead.
-- Returns {'same', its id, text of the match}, {'full', how many there are, ''}, or
-- {'new', '', text of the match}; the text is '' when the seek waits.
local now, seek = tonumber(ARGV[1]), {
  id = ARGV[3], player = ARGV[4], game = ARGV[5], mode = ARGV[6], bucket = ARGV[7],
  sizes = ARGV[8], ends = ARGV[9], table = '', created = ARGV[1], avoid = '',
  rated = ARGV[12], lowest = ARGV[13], highest = ARGV[14], reliability = ARGV[15],
  walk = '', known = ''
}
local mine = redis.call('SMEMBERS', 'seeks_of:' .. seek.player)
if seek.mode == 'live' then
  redis.call('ZADD', 'seekers', now, seek.player)
end
for _, id in ipairs(mine) do
  local other = read_seek(id)
  if other and not is_alive(other, now) then
    forget_seek(other)
  elseif other and other.bucket == seek.bucket and other.table == '' and other.sizes == seek.sizes then
    redis.call('HSET', 'seek:' .. id, 'json', ARGV[11])
    redis.call('ZADD', 'seeks_due', ARGV[10], id)
    for _, name in ipairs({'lowest', 'highest', 'reliability'}) do
      redis.call('HSET', 'seek:' .. id, name, seek[name])
      other[name] = seek[name]
    end
    redis.call('HSET', 'seek:' .. id, 'walk', '', 'known', '')
    other.walk, other.known = '', ''
    return {'same', id, match_seek(other, now)}
  end
end
local used = redis.call('SCARD', 'seeks_of:' .. seek.player)
if used >= tonumber(ARGV[2]) then
  return {'full', used, ''}
end
for _, name in ipairs(FIELDS) do
  redis.call('HSET', 'seek:' .. seek.id, name, seek[name])
end
redis.call('HSET', 'seek:' .. seek.id, 'json', ARGV[11])
list_seek(seek, ARGV[10])
if seek.mode == 'live' then
  redis.call('ZADD', 'seekers', now, seek.player)
end
return {'new', '', match_seek(seek, now)}

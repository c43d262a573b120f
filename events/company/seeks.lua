-- What the scripts about seeks have in common. All keys are on one server, the registry.
--
-- A seek is the hash `seek:<id>`. An open seek stands in `seeks:<game>:<mode>` (what is listed), in
-- `seeks_alike:<bucket>` (those who want the same game, options and pace), in `seeks_due` and in
-- `seeks_of:<player>`; a seek that is matched stands in none of them.

-- So many seeks of a bucket are looked at in one walk, the oldest first, until so many are found
-- that fit. A seek that is not matched goes on behind them, so many ms later.
local LOOKED_AT, ENOUGH, GO_ON = 48, 20, 1000
-- A search that had to leave some out begins again after so many ms.
local AGAIN = 60000
-- The search for sets that fit ends after so many steps, 1.5 ms of the processor at most: a seek for
-- which it has found none goes on as well.
local STEPS = 600
-- A live seek ends so many ms after its player was last seen at the inbox. A web process notes that
-- every five seconds.
local GONE = 35000

local FIELDS = {
  'player', 'game', 'mode', 'bucket', 'sizes', 'ends', 'table', 'created', 'avoid',
  'rated', 'lowest', 'highest', 'reliability', 'walk', 'known'
}

local function read_seek(id)
  local found = redis.call('HMGET', 'seek:' .. id, unpack(FIELDS))
  if not found[1] then
    return nil
  end
  local seek = {id = id}
  for i, name in ipairs(FIELDS) do
    seek[name] = found[i] or ''
  end
  return seek
end

local function list_seek(seek, due)
  redis.call('ZADD', 'seeks:' .. seek.game .. ':' .. seek.mode, seek.created, seek.id)
  redis.call('ZADD', 'seeks_alike:' .. seek.bucket, seek.created, seek.id)
  redis.call('ZADD', 'seeks_due', due, seek.id)
  redis.call('SADD', 'seeks_of:' .. seek.player, seek.id)
end

local function unlist_seek(seek)
  redis.call('ZREM', 'seeks:' .. seek.game .. ':' .. seek.mode, seek.id)
  redis.call('ZREM', 'seeks_alike:' .. seek.bucket, seek.id)
  redis.call('ZREM', 'seeks_due', seek.id)
  redis.call('SREM', 'seeks_of:' .. seek.player, seek.id)
end

local function list_live_of(player)
  local live = {}
  for _, id in ipairs(redis.call('SMEMBERS', 'seeks_of:' .. player)) do
    local seek = read_seek(id)
    if seek and seek.mode == 'live' then
      live[#live + 1] = seek
    end
  end
  return live
end

local function forget_seek(seek)
  unlist_seek(seek)
  redis.call('DEL', 'seek:' .. seek.id)
  if seek.mode == 'live' and #list_live_of(seek.player) == 0 then
    redis.call('ZREM', 'seekers', seek.player)
  end
end

local function is_alive(seek, now)
  if tonumber(seek.ends) <= now then
    return false
  end
  local seen = seek.mode ~= 'live' or redis.call('ZSCORE', 'seekers', seek.player)
  return seen == true or (seen and tonumber(seen) > now - GONE) or false
end

-- The blocks of today decide, not those of the moment at which a seek was made.
local apart_by_pair = {}
local function are_apart(one, other)
  local pair = one < other and one .. ' ' .. other or other .. ' ' .. one
  if apart_by_pair[pair] == nil then
    apart_by_pair[pair] = redis.call('SISMEMBER', 'blocked_by:' .. one, other) == 1
      or redis.call('SISMEMBER', 'blocked_by:' .. other, one) == 1
  end
  return apart_by_pair[pair]
end

-- Whether a guest account has merged into two accounts, or one of them into the other: at a rated
-- table they are one person (`events.commands.table.rated`).
local one_by_pair = {}
local function are_one_person(one, other)
  local pair = one < other and one .. ' ' .. other or other .. ' ' .. one
  if one_by_pair[pair] == nil then
    one_by_pair[pair] = redis.call('SISMEMBER', 'merged_from:' .. one, other) == 1
      or redis.call('SISMEMBER', 'merged_from:' .. other, one) == 1
      or #redis.call('SINTER', 'merged_from:' .. one, 'merged_from:' .. other) > 0
  end
  return one_by_pair[pair]
end

-- The rating of a player at tables of a size, as it is shown (`ratings.scale`).
local ratings = {}
local function find_rating(player, game, size)
  local bucket = 'people:' .. game .. ':' .. (size == 2 and '2' or 'many')
  local key = bucket .. ':' .. player
  if not ratings[key] then
    local text = redis.call('HGET', '{projections}:ratings:standings:' .. bucket, player)
    -- A standing is a list in JSON that begins with the mean.
    local mu = tonumber(string.match(text or '[25,', '^%[([^,]+),'))
    ratings[key] = math.floor(1500 + 60 * (mu - 25) + 0.5)
  end
  return ratings[key]
end

-- How many percent of their games a player has ended by playing or resigning; 100 without a game.
local reliabilities = {}
local function find_reliability(player)
  if not reliabilities[player] then
    local key = '{projections}:reliability:' .. player
    local known = redis.call('HMGET', key, 'g', 'f', 'q')
    local games = tonumber(known[1] or '0')
    local ended = tonumber(known[2] or '0') + tonumber(known[3] or '0')
    reliabilities[player] = games > 0 and 100 * ended / games or 100
  end
  return reliabilities[player]
end

-- Whether a seek takes another player at a table of a size.
local function takes(seek, other, size)
  if seek.reliability ~= '' and find_reliability(other.player) < tonumber(seek.reliability) then
    return false
  end
  if seek.lowest == '' then
    return true
  end
  local rating = find_rating(other.player, seek.game, size)
  return rating >= tonumber(seek.lowest) and rating <= tonumber(seek.highest)
end

local function fits(seek, others, size)
  for _, other in ipairs(others) do
    if other.player == seek.player or are_apart(other.player, seek.player)
      or seek.rated == '1' and are_one_person(other.player, seek.player)
      or not (takes(seek, other, size) and takes(other, seek, size)) then
      return false
    end
  end
  return true
end

local function allows(seek, size)
  return string.find(',' .. seek.sizes .. ',', ',' .. size .. ',', 1, true) ~= nil
end

-- Whether two seeks could meet at a table of a size, whatever the others there.
local function could_meet(seek, other)
  for size in string.gmatch(other.sizes, '%d+') do
    if allows(seek, size) and fits(seek, {other}, tonumber(size)) then
      return true
    end
  end
  return false
end

-- A seek walks over its bucket in pieces. Its field `walk` says behind which seek the next piece
-- begins, as '<created> <id>', '' for the oldest; `known` has the ids of those that it could meet in
-- earlier pieces. With `*` before them some of these were left out, to make room for others.

-- Return the place in a bucket at which the next piece of a walk begins.
local function find_place(seek)
  local created, id = string.match(seek.walk, '^(%S+) (%S+)$')
  if not id then
    return 0
  end
  local key = 'seeks_alike:' .. seek.bucket
  local place = redis.call('ZRANK', key, id)
  -- Where that seek has ended, those of the same moment are looked at again.
  return place and place + 1 or redis.call('ZCOUNT', key, '-inf', '(' .. created)
end

-- Return the seeks that a seek could meet: those that wait, and those whose player has begun a game
-- with bots already; and where the walk ends, nil at the end of the bucket.
local function find_pool(seek, now)
  local pool, met, last = {waiting = {}, begun = {}}, {}, nil
  local function look_at(id)
    if id == seek.id or met[id] then
      return
    end
    met[id] = true
    local other = read_seek(id)
    if other and not is_alive(other, now) then
      forget_seek(other)
    elseif other and could_meet(seek, other) then
      local kind = other.table == '' and pool.waiting or pool.begun
      kind[#kind + 1] = other
    end
  end
  for id in string.gmatch(seek.known, '%w+') do
    if redis.call('ZSCORE', 'seeks_alike:' .. seek.bucket, id) then
      look_at(id)
    end
  end
  local place = find_place(seek)
  local key = 'seeks_alike:' .. seek.bucket
  local found = redis.call('ZRANGE', key, place, place + LOOKED_AT - 1, 'WITHSCORES')
  for i = 1, #found, 2 do
    look_at(found[i])
    last = string.format('%.0f %s', tonumber(found[i + 1]), found[i])
    if #pool.waiting + #pool.begun >= ENOUGH then
      return pool, last
    end
  end
  return pool, #found == 2 * LOOKED_AT and last or nil
end

-- Return those of a pool that a seek could meet at a table of a size.
local function find_fitting(seek, pool, size)
  local found = {}
  for _, other in ipairs(pool) do
    if allows(other, size) and fits(other, {seek}, size) then
      found[#found + 1] = other
    end
  end
  return found
end

local steps = 0
-- Complete `chosen` to `size` seeks, the oldest first; return nil when no set fits.
local function choose(pool, size, chosen, from)
  if #chosen == size then
    return chosen
  end
  for i = from, #pool - (size - #chosen) + 1 do
    steps = steps + 1
    if steps > STEPS then
      return nil
    end
    if fits(pool[i], chosen, size) then
      chosen[#chosen + 1] = pool[i]
      local found = choose(pool, size, chosen, i + 1)
      if found then
        return found
      end
      chosen[#chosen] = nil
    end
  end
  return nil
end

-- Note where the walk of a seek goes on that was not matched: behind `last`, nil: at the oldest.
-- Where there is no room for all, or no time, chance decides who is left out for now: no two seeks
-- are kept apart for ever.
local function go_on(seek, pool, last, now)
  local is_full = last and 2 * #pool.waiting > ENOUGH or steps > STEPS
  local left_out = is_full or seek.walk ~= '' and string.sub(seek.known, 1, 1) == '*'
  if not last and not left_out and seek.walk == '' and seek.known == '' then
    return
  end
  local kept = {}
  -- The server begins each script with the same numbers.
  math.randomseed(now % 1000003)
  for _, other in ipairs(pool.waiting) do
    if not is_full or math.random(2) == 1 then
      kept[#kept + 1] = other.id
    end
  end
  local known = (left_out and '*' or '') .. table.concat(kept, ' ')
  local is_over = not last and not left_out
  redis.call('HSET', 'seek:' .. seek.id, 'walk', last or '', 'known', is_over and '' or known)
  if not is_over then
    redis.call('ZADD', 'seeks_due', 'LT', now + (last and GO_ON or AGAIN), seek.id)
  end
end

-- Take seeks out of the lists, and note that they are matched; return the text of the match.
local function note_match(text, seeks, now)
  for _, seek in ipairs(seeks) do
    unlist_seek(seek)
    -- Who plays a live game waits for no other live game.
    if seek.mode == 'live' then
      for _, other in ipairs(list_live_of(seek.player)) do
        forget_seek(other)
      end
      redis.call('ZREM', 'seekers', seek.player)
    end
  end
  redis.call('ZADD', 'seek_matches', now, text)
  return text
end

-- Match an open seek; return the text of the match, '' when the seek waits on.
local function match_seek(seek, now)
  if seek.table ~= '' then
    return ''
  end
  local pool, last = find_pool(seek, now)
  for text in string.gmatch(seek.sizes, '%d+') do
    local size = tonumber(text)
    local found = choose(find_fitting(seek, pool.waiting, size), size, {seek}, 1)
    if found then
      local ids = {}
      for i, one in ipairs(found) do
        ids[i] = one.id
      end
      table.sort(ids)
      return note_match(table.concat(ids, ' '), found, now)
    end
  end
  for _, other in ipairs(pool.begun) do
    -- The table has the size of the seek of its host.
    if allows(seek, other.sizes) and seek.avoid ~= other.id
      and fits(seek, {other}, tonumber(other.sizes)) then
      return note_match(seek.id .. '@' .. other.id, {seek}, now)
    end
  end
  go_on(seek, pool, last, now)
  return ''
end


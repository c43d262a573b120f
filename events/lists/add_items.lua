-- For so many seconds after its last item an inbox is kept.
local GONE_S = 90 * 24 * 3600

-- Note what a player wants to be notified of outside: an intent for each channel, due after its delay.
--
-- The wishes of a player are those of `events.notices.wishes`; most players have none. An intent is
-- named after player, channel, subject and type, so a newer item replaces an older one that was not
-- told yet: one message for a turn, however many decisions it has.
local function note_intents(player, id, item, at)
  local wishes = redis.call('HGET', '{projections}:notice_wishes', player)
  if not wishes then
    return
  end
  local subject, kind = string.match(id, '^(.-):%d+:([a-z_]+):')
  for channel, delay in pairs(cjson.decode(wishes)[kind] or {}) do
    local intent = table.concat({player, channel, subject, kind}, ' ')
    redis.call('ZADD', '{projections}:intents', at + delay, intent)
    redis.call('HSET', '{projections}:intended', intent, item)
  end
end

-- Return how the ids of an inbox name an item: without the player, who is that of the inbox. So short
-- that the server keeps the ids of most inboxes in one block.
local function shorten_id(player, id)
  local ending = ':' .. player
  return string.sub(id, -#ending) == ending and string.sub(id, 1, -#ending - 1) or id
end

-- Add items to the inbox of a player; an item that the inbox has already is dropped. Earlier releases
-- have noted whole ids.
--
-- player     whose inbox it is
-- most       about how many items the inbox keeps
-- id, item   the id of the item, and the item as JSON
-- at         ms since the epoch of what the item is about, '' when no one is notified of it outside
local function add_item(player, most, id, item, at)
  local stream = '{projections}:inbox:' .. player
  local ids = stream .. ':ids'
  local short = shorten_id(player, id)
  local known = redis.call('HMGET', ids, short, id)
  if known[1] or known[2] then
    return 0
  end
  local entry = redis.call('XADD', stream, 'MAXLEN', '~', most, '*', 'item', item)
  redis.call('HSET', ids, short, entry)
  -- An inbox to which nothing comes any more is that of a player who has left. Its mark lasts as long
  -- as its items do, or these would be unread again.
  for _, key in ipairs({stream, ids, stream .. ':read'}) do
    redis.call('EXPIRE', key, GONE_S)
  end
  redis.call('SPUBLISH', stream .. ':live', 'inbox\n' .. item)
  if at ~= '' then
    note_intents(player, id, item, tonumber(at))
  end
  return 1
end

-- Forget the ids of items that the inbox has dropped. It takes a look at all ids, so it waits until
-- there are a quarter more of them than items.
local function forget_ids(player)
  local stream = '{projections}:inbox:' .. player
  local ids = stream .. ':ids'
  if redis.call('HLEN', ids) < 1.25 * redis.call('XLEN', stream) + 20 then
    return
  end
  local kept = {}
  for _, entry in ipairs(redis.call('XRANGE', stream, '-', '+')) do
    kept[entry[1]] = true
  end
  local pairs_ = redis.call('HGETALL', ids)
  for i = 1, #pairs_, 2 do
    if not kept[pairs_[i + 1]] then
      redis.call('HDEL', ids, pairs_[i])
    end
  end
end


-- Add items to the inbox of a player; an item that the inbox has already is dropped.
--
-- stream, ids   the keys of the inbox (`keys.inbox`, `keys.inbox_ids`)
-- channel       the channel of the player (`keys.inbox_live`)
-- most          about how many items the inbox keeps
-- id, item      the id of the item, and the item as JSON
local function add_item(stream, ids, channel, most, id, item)
  if redis.call('HEXISTS', ids, id) == 1 then
    return 0
  end
  local entry = redis.call('XADD', stream, 'MAXLEN', '~', most, '*', 'item', item)
  redis.call('HSET', ids, id, entry)
  redis.call('SPUBLISH', channel, 'inbox\n' .. item)
  return 1
end

-- Forget the ids of items that the inbox has dropped. It takes a look at all ids, so it waits until
-- there are many more of them than items.
local function forget_ids(stream, ids)
  if redis.call('HLEN', ids) < 2 * redis.call('XLEN', stream) + 100 then
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


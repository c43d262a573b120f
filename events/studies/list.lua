-- Bring what lists say of a study to a version; an older one changes nothing.
--
-- `summary` is the hash of the study in the lists; `indexes` are the sorted sets it stands in.
local function list(summary, id, version, text, score, indexes)
  local known = redis.call('HMGET', summary, 'version', 'indexes')
  if known[1] and tonumber(known[1]) > tonumber(version) then
    return
  end
  for _, index in ipairs(cjson.decode(known[2] or '[]')) do
    redis.call('ZREM', index, id)
  end
  for _, index in ipairs(indexes) do
    redis.call('ZADD', index, score, id)
  end
  redis.call('HSET', summary, 'version', version, 'json', text, 'indexes', cjson.encode(indexes))
end

-- Return the fingerprint of the values of some keys of one game: two equal ones mean equal values.
--
-- KEYS  the keys; a missing key has a fingerprint as well

local found = {}
for i, key in ipairs(KEYS) do
  found[i] = redis.sha1hex(redis.call('DUMP', key) or '')
end
return redis.sha1hex(table.concat(found))

-- Return the fingerprint of the values of some keys of one game: two equal ones mean equal values;
-- and the time of the server, in ms since the epoch.
--
-- KEYS  the keys; a missing key has a fingerprint as well

local found = {}
for i, key in ipairs(KEYS) do
  found[i] = redis.sha1hex(redis.call('DUMP', key) or '')
end
local time = redis.call('TIME')
local ms = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
return {redis.sha1hex(table.concat(found)), ms}

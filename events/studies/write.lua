-- Append events to one study: key, predecessor, events, record and lists in one atomic step.
--
-- KEYS  1 stream   2 idempotency hash   3 summary of the lists, then the indexes it stands in
-- ARGV  1 version before this append   2 hash of the event before it   3 nonce of this append
--       4 idempotency field or ''      5 digest of the request         6 hash of the last event
--       7 id   8 summary   9 score in the lists (ms)   10 channel of its readers   11... the events
--
-- Returns {1, version} appended, {2, record} the key was used before, {0, version} too late.
local version = redis.call('XLEN', KEYS[1])
local expected = tonumber(ARGV[1])
local count = #ARGV - 10

-- A client that lost its connection sends the same append again.
local first = (expected + 1) .. '-0'
local entry = redis.call('XRANGE', KEYS[1], first, first)[1]
if entry and entry[2][4] == ARGV[3] then
  return {1, expected + count}
end
local known = redis.call('HMGET', KEYS[2], 'head', ARGV[4])
if known[2] then
  return {2, known[2]}
end
if version ~= expected or (known[1] and known[1] ~= ARGV[2]) then
  return {0, version}
end
for i = 11, #ARGV do
  version = version + 1
  redis.call('XADD', KEYS[1], version .. '-0', 'event', ARGV[i], 'nonce', ARGV[3])
end
redis.call('HSET', KEYS[2], 'head', ARGV[6])
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[4], (expected + 1) .. ' ' .. version .. ' ' .. ARGV[5])
end
local indexes = {}
for i = 4, #KEYS do
  indexes[#indexes + 1] = KEYS[i]
end
list(KEYS[3], ARGV[7], version, ARGV[8], ARGV[9], indexes)
redis.call('SPUBLISH', ARGV[10], 'study\n{}')
return {1, version}

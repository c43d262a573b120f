-- Raise the format of the store to that of a release, once no process of an earlier one runs.
--
-- KEYS  1 format   2 the mark of a restore   3 the last heartbeat of a web process
--       4 the last heartbeats of web processes by format, a hash
--       5 the last report of a dispatcher    6 the workers of RQ, a set
-- ARGV  1 format of the release   2 ms since the epoch, by the clock of the caller
--       3 a heartbeat is alive for so many ms
--
-- Returns the format after it, or the file of a restore that was interrupted.

local mine, now, alive = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local function has_older_web()
  local last, noted = redis.call('GET', KEYS[3]), false
  local beats = redis.call('HGETALL', KEYS[4])
  for i = 1, #beats, 2 do
    noted = noted or beats[i + 1] == last
    if tonumber(beats[i]) < mine and now - tonumber(beats[i + 1]) <= alive then
      return true
    end
  end
  -- A release without a format in its heartbeats has written this one.
  return last and not noted and now - (tonumber(last) or 0) <= alive
end

local function has_older_dispatcher()
  local at, format, format_at = unpack(redis.call('HMGET', KEYS[5], 'at', 'format', 'format_at'))
  local older = at and (at ~= format_at or tonumber(format) < mine)
  return older and redis.call('TIME')[1] - tonumber(at) <= alive / 1000
end

local function has_older_worker()
  for _, worker in ipairs(redis.call('SMEMBERS', KEYS[6])) do
    local queues, format = unpack(redis.call('HMGET', worker, 'queues', 'format'))
    -- Others may use the same server for workers of their own.
    if queues and string.find(queues, 'cartulary', 1, true) and (tonumber(format or '') or 0) < mine then
      return true
    end
  end
  return false
end

local mark = redis.call('HGET', KEYS[2], 'file')
if mark then
  return mark
end
local stored = tonumber(redis.call('GET', KEYS[1]) or '') or 0
if stored >= mine then
  return stored
end
if stored > 0 and (has_older_web() or has_older_dispatcher() or has_older_worker()) then
  return stored
end
redis.call('SET', KEYS[1], mine)
return mine

-- End a film under way: it is done, or has failed.
--
-- KEYS  1 the film
-- ARGV  1 what is shown of the table with the film   2 status   3 body
--       4 seconds for which the film is kept
--
-- Returns 1, or 0 when the film has ended already, or is asked for with other names: what was drawn
-- may then show a name that is deleted.

local found = redis.call('HMGET', KEYS[1], 'status', 'shown')
if found[1] ~= 'queued' or found[2] ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'status', ARGV[2], 'body', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
return 1

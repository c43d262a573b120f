-- Add items to the inbox of one player.
--
-- KEYS  1 stream of the inbox   2 hash of the ids
-- ARGV  1 player   2 about how many items are kept   then id, JSON and ms since the epoch of each,
--       the last one "" for an item that no one is notified of outside
--
-- Returns the number of items that were new.

local added = 0
for i = 3, #ARGV, 3 do
  added = added + add_item(ARGV[1], ARGV[2], ARGV[i], ARGV[i + 1], ARGV[i + 2])
end
forget_ids(ARGV[1])
return added

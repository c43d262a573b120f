-- Add items to the inbox of one player.
--
-- KEYS  1 stream of the inbox   2 hash of the ids
-- ARGV  1 channel of the player   2 about how many items are kept   then id and JSON of each item
--
-- Returns the number of items that were new.

local added = 0
for i = 3, #ARGV, 2 do
  added = added + add_item(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[i], ARGV[i + 1])
end
forget_ids(KEYS[1], KEYS[2])
return added

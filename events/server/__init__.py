"""The connection to Redis or Valkey: keys, slots, the cluster, outboxes, leases."""

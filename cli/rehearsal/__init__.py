"""`serve --rehearsal`: the service on a store of its own, behind the edge that makes trouble."""

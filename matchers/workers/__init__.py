"""Many sentences at once: shards of them, matched by several processes or by a Ray cluster, in order."""

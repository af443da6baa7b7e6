-- The alerts of a server are its own and those of its cluster that name its node.
CREATE INDEX alert_cluster_key_opened_at_idx ON alert (cluster_key, opened_at DESC);

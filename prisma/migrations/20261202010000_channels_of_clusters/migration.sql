-- A channel that the Helm values of a cluster made: it gets the alerts of this cluster's servers only.
ALTER TABLE notify_channel ADD COLUMN cluster_key integer REFERENCES cluster (key) ON DELETE CASCADE;
CREATE UNIQUE INDEX notify_channel_cluster_key ON notify_channel (cluster_key);

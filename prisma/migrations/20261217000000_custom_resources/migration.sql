-- Custom resources of a cluster make rules, silences and channels. Null: a user or a setting made the row.
ALTER TABLE alert_rule
  ADD COLUMN object_cluster_key integer REFERENCES cluster (key) ON DELETE CASCADE,
  ADD COLUMN object_namespace text,
  ADD COLUMN object_name text,
  ADD COLUMN object_hash bytea;
CREATE UNIQUE INDEX alert_rule_object ON alert_rule (object_cluster_key, object_namespace, object_name);
-- A deleted silence stays as history and gives its place up: its object_cluster_key becomes null.
ALTER TABLE alert_silence
  ADD COLUMN object_cluster_key integer REFERENCES cluster (key) ON DELETE CASCADE,
  ADD COLUMN object_namespace text,
  ADD COLUMN object_name text,
  ADD COLUMN object_hash bytea;
CREATE UNIQUE INDEX alert_silence_object ON alert_silence (object_cluster_key, object_namespace, object_name);
ALTER TABLE notify_channel
  ADD COLUMN object_cluster_key integer REFERENCES cluster (key) ON DELETE CASCADE,
  ADD COLUMN object_namespace text,
  ADD COLUMN object_name text,
  ADD COLUMN object_hash bytea;
CREATE UNIQUE INDEX notify_channel_object ON notify_channel (object_cluster_key, object_namespace, object_name);
-- The last set of objects that was applied: one that an earlier leader sent, or that was overtaken, is refused.
ALTER TABLE cluster
  ADD COLUMN object_term bigint NOT NULL DEFAULT 0,
  ADD COLUMN object_seq bigint NOT NULL DEFAULT 0;

-- Alerts about a cluster and its objects: they have a cluster instead of a server.
ALTER TABLE alert ALTER COLUMN server_key DROP NOT NULL;
ALTER TABLE alert
    ADD COLUMN cluster_key   integer REFERENCES cluster (key) ON DELETE CASCADE,
    ADD COLUMN namespace     text,
    ADD COLUMN workload_kind text,
    -- Name of the workload, the volume or the node.
    ADD COLUMN object_name   text,
    -- Nodes that the affected pods run on, or the node itself: what may have caused the alert.
    ADD COLUMN nodes         text[] NOT NULL DEFAULT '{}';
-- At most one open alert for a rule and what it watches in a cluster.
CREATE UNIQUE INDEX alert_open_cluster_key ON alert (cluster_key, rule, subject)
    WHERE resolved_at IS NULL AND cluster_key IS NOT NULL;

-- The state of the rules for each cluster. evaluated_at shows gaps between reports.
CREATE TABLE alert_cluster_track (
    cluster_key  integer PRIMARY KEY REFERENCES cluster (key) ON DELETE CASCADE,
    tracks       jsonb NOT NULL,
    version      bigint NOT NULL DEFAULT 1,
    evaluated_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- The evaluation after each report reads these pods alone.
CREATE INDEX kube_pod_unwell_idx ON kube_pod (cluster_key)
    WHERE gone_at IS NULL AND (phase = 'Pending' OR reason IS NOT NULL);

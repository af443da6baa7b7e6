-- What Prometheus told of the time before the installation.

-- Down to where it is told, from first_seen_at; null: nothing yet.
ALTER TABLE cluster ADD COLUMN history_from timestamptz;

-- As in kube_pod_usage; null: rolled up from kube_sample.
ALTER TABLE kube_rollup_5m ADD COLUMN source smallint;

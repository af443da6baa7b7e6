-- Since when a workload has fewer ready pods than it wants. A restart of a pod is short; only what lasts is a problem.
ALTER TABLE kube_workload ADD COLUMN short_since timestamptz;
UPDATE kube_workload SET short_since = now()
WHERE (object->>'ready')::int < (object->>'desired')::int AND NOT (object->>'suspended')::boolean;
CREATE INDEX kube_workload_short_idx ON kube_workload (cluster_key, short_since) WHERE short_since IS NOT NULL;

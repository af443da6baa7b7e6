-- A pod with a scheduling gate is held on purpose (Kueue and others): it waits and is not broken.
DROP INDEX kube_pod_listing_idx;
ALTER TABLE kube_pod DROP COLUMN severity;
-- 0 broken, 1 unknown, 2 pending, 3 running and not ready, 4 terminating, 5 running and ready, 6 finished.
ALTER TABLE kube_pod ADD COLUMN severity smallint GENERATED ALWAYS AS (CASE
    WHEN phase = 'Succeeded' THEN 6
    WHEN (object->>'deleting')::boolean THEN 4
    WHEN phase = 'Pending' AND reason = 'SchedulingGated' THEN 2
    WHEN phase = 'Failed' OR reason IS NOT NULL THEN 0
    WHEN phase = 'Unknown' THEN 1
    WHEN phase = 'Pending' THEN 2
    WHEN NOT (object->>'ready')::boolean THEN 3
    ELSE 5 END) STORED;
CREATE INDEX kube_pod_listing_idx ON kube_pod (cluster_key, namespace, name)
    INCLUDE (key, uid, node_name, phase, owner_kind, owner_name, restart_count, created_at, severity, cpu_request,
        memory_request, cpu_limit, memory_limit)
    WHERE gone_at IS NULL;

-- An entry of an index has room for 2,700 bytes. Names in Kubernetes are ASCII and fit; others are refused from now on. The
-- next full listing brings back what is real.
DELETE FROM kube_pod WHERE octet_length(namespace) + octet_length(name) + octet_length(uid)
    + COALESCE(octet_length(node_name), 0) + COALESCE(octet_length(owner_kind), 0) + COALESCE(octet_length(owner_name), 0) > 2000;

-- All that lists, counts and sums of pods read, beside the bulky object: a pass over 50,000 pods reads 8 MB of it and not
-- the 56 MB of the table.
CREATE INDEX kube_pod_listing_idx ON kube_pod (cluster_key, namespace, name)
    INCLUDE (key, uid, node_name, phase, owner_kind, owner_name, restart_count, created_at, severity, cpu_request,
        memory_request, cpu_limit, memory_limit)
    WHERE gone_at IS NULL;
-- The pods that a health chip names.
CREATE INDEX kube_pod_failed_idx ON kube_pod (cluster_key, created_at DESC) WHERE gone_at IS NULL AND phase = 'Failed';

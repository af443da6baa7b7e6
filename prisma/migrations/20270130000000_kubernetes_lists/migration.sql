-- A list of pods in the order of their names reads as many entries of a cluster as its page has rows, and not all of them.
-- kube_pod_name_idx leads to the pods of a namespace.
DROP INDEX kube_pod_listing_idx;
CREATE INDEX kube_pod_listing_idx ON kube_pod (cluster_key, name, namespace, key)
    INCLUDE (uid, node_name, phase, owner_kind, owner_name, restart_count, created_at, severity, cpu_request,
        memory_request, cpu_limit, memory_limit)
    WHERE gone_at IS NULL;

-- Lists and sums read these of every node: narrow columns keep them off the bulky object.
ALTER TABLE kube_node
    ADD COLUMN ready              boolean          GENERATED ALWAYS AS ((object->>'ready')::boolean) STORED,
    ADD COLUMN created_at         double precision GENERATED ALWAYS AS ((object->>'created_at')::float8) STORED,
    ADD COLUMN cpu_capacity       double precision GENERATED ALWAYS AS ((object->'capacity'->>'cpu_cores')::float8) STORED,
    ADD COLUMN memory_capacity    double precision GENERATED ALWAYS AS ((object->'capacity'->>'memory_bytes')::float8) STORED,
    ADD COLUMN cpu_allocatable    double precision GENERATED ALWAYS AS ((object->'allocatable'->>'cpu_cores')::float8) STORED,
    ADD COLUMN memory_allocatable double precision GENERATED ALWAYS AS ((object->'allocatable'->>'memory_bytes')::float8) STORED;
-- The node of a pod, and a pass over all nodes beside their objects.
CREATE INDEX kube_node_listing_idx ON kube_node (cluster_key, name)
    INCLUDE (key, server_id, ready, created_at, cpu_capacity, memory_capacity, cpu_allocatable, memory_allocatable)
    WHERE gone_at IS NULL;

-- What a node's pods hold together, and the pods of one node: of 50,000 pods on 500 nodes a hundred are read and not all.
CREATE INDEX kube_pod_node_idx ON kube_pod (cluster_key, node_name)
    INCLUDE (phase, cpu_request, memory_request, cpu_limit, memory_limit)
    WHERE gone_at IS NULL;

-- A screen asks for several lists at once, which fill the processors already. Parallel workers would each build a hash of
-- all pods for their part of a list.
ALTER TABLE kube_pod SET (parallel_workers = 0);
ALTER TABLE kube_pod_usage SET (parallel_workers = 0);
ALTER TABLE kube_container_end SET (parallel_workers = 0);

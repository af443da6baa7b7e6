-- Targets of rules in a cluster: cluster, namespace, workload. cluster_id is the uid of kube-system.
ALTER TABLE alert_rule
    ADD COLUMN cluster_id    text,
    ADD COLUMN namespace     text,
    ADD COLUMN workload_kind text,
    ADD COLUMN workload      text;

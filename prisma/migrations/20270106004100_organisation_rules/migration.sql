-- Custom resources of a cluster set rules of the whole organisation only where an admin allows it. It stays allowed where
-- such rules exist.
ALTER TABLE cluster ADD COLUMN rules_organisation boolean NOT NULL DEFAULT false;
UPDATE cluster c SET rules_organisation = true
WHERE EXISTS (SELECT FROM alert_rule r
    WHERE r.object_cluster_key = c.key AND r.target NOT IN ('cluster', 'namespace', 'workload'));

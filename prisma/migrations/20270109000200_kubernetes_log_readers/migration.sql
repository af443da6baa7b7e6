-- Who reads a tail that refreshes by itself: each of them leaves one entry in the audit log, not one for each refresh.
ALTER TABLE kube_log_request ADD COLUMN readers text[] NOT NULL DEFAULT '{}';

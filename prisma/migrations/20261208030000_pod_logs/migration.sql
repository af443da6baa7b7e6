-- Tails of pod logs on request: kept for minutes, and only of clusters whose chart allows it.

-- Last report said that the collector may read logs (clusterCollector.podLogs).
ALTER TABLE cluster ADD COLUMN reads_pod_logs boolean NOT NULL DEFAULT false;

CREATE TABLE kube_log_request (
    id           uuid NOT NULL DEFAULT gen_random_uuid(),
    cluster_key  integer NOT NULL REFERENCES cluster (key) ON DELETE CASCADE,
    namespace    text NOT NULL,
    pod          text NOT NULL,
    container    text NOT NULL,
    previous     boolean NOT NULL,
    requested_at timestamptz NOT NULL,
    -- When it went to the collector, and when the collector answered.
    sent_at      timestamptz,
    answered_at  timestamptz,
    lines        jsonb,
    failure      text,
    PRIMARY KEY (id)
);
CREATE INDEX kube_log_request_cluster_idx ON kube_log_request (cluster_key, requested_at);

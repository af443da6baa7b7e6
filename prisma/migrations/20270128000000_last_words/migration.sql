-- The end of the log of a container's previous run, requested once for each restart. Pending until answered_at is set.
CREATE TABLE last_words (
    cluster_key  integer NOT NULL REFERENCES cluster (key) ON DELETE CASCADE,
    pod_uid      text NOT NULL,
    container    text NOT NULL,
    run          integer NOT NULL,
    -- End of that run.
    at           timestamptz NOT NULL,
    namespace    text NOT NULL,
    pod          text NOT NULL,
    node         text,
    requested_at timestamptz NOT NULL,
    answered_at  timestamptz,
    lines        text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (cluster_key, pod_uid, container, run)
);
CREATE INDEX last_words_at_idx ON last_words (cluster_key, at DESC);
CREATE INDEX last_words_pending_idx ON last_words (requested_at) WHERE answered_at IS NULL;

-- Lines of the logs of hosts: read by the minute of an alert, and pruned apart from other events.
CREATE INDEX activity_event_line_idx ON activity_event (at)
  WHERE event_type IN ('oom_kill', 'io_error', 'hung_task', 'remounted_read_only', 'link_down', 'link_up',
    'ecc_error', 'conntrack_full', 'segfault', 'thermal_throttling', 'time_source_changed', 'journal_error');

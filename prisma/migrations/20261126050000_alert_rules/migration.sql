-- Rules that users write. The default rules have no rows: a row overrides them for its target.
CREATE TABLE alert_rule (
    id                      uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id              uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    metric                  text NOT NULL,
    -- all, tag, server or mount. A mount may name a server too.
    target                  text NOT NULL,
    server_id               uuid REFERENCES server (id) ON DELETE CASCADE,
    tag_key                 text,
    tag_value               text,
    mount                   text,
    -- [{level, threshold}], ascending.
    lines                   jsonb NOT NULL,
    for_seconds             integer NOT NULL,
    keep_firing_for_seconds integer NOT NULL,
    hysteresis_points       real NOT NULL,
    enabled                 boolean NOT NULL DEFAULT true,
    created_at              timestamptz NOT NULL,
    updated_at              timestamptz NOT NULL
);
CREATE INDEX alert_rule_account_id_idx ON alert_rule (account_id, created_at);
CREATE INDEX alert_rule_server_id_idx ON alert_rule (server_id);

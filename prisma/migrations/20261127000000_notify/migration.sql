-- Channels of an account, the outbox of alert changes, and the log of deliveries.

CREATE TABLE notify_channel (
    id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id   uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    type         text NOT NULL,
    name         text NOT NULL,
    settings     jsonb NOT NULL,
    -- JSON of the secrets, sealed with the id of the row.
    secrets      bytea NOT NULL,
    -- The last 4 characters of each secret.
    secret_ends  jsonb NOT NULL,
    routing      jsonb NOT NULL,
    -- Hash of the variables that made this channel; null: a user made it.
    environment_hash bytea,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    -- One process sends through a channel at a time, and not before send_after (rate limits, Retry-After).
    lease        uuid,
    leased_until timestamptz,
    send_after   timestamptz
);
CREATE INDEX notify_channel_account_id_idx ON notify_channel (account_id, created_at);

-- One change of an alert for one channel, written by the transaction that changes the alert, deleted when it is settled.
CREATE TABLE notify_outbox (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    channel_id     uuid NOT NULL REFERENCES notify_channel (id) ON DELETE CASCADE,
    alert_id       uuid NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
    server_key     integer NOT NULL,
    state          text NOT NULL,
    level          text NOT NULL,
    value          real,
    threshold      real,
    at             timestamptz NOT NULL,
    due_at         timestamptz NOT NULL,
    attempts       integer NOT NULL DEFAULT 0,
    first_tried_at timestamptz
) WITH (fillfactor = 70);
CREATE INDEX notify_outbox_channel_id_idx ON notify_outbox (channel_id, due_at);
CREATE INDEX notify_outbox_alert_id_idx ON notify_outbox (alert_id, channel_id);

-- Open alerts a channel has delivered: only they are repeated and reported as resolved.
CREATE TABLE notify_delivered (
    channel_id uuid NOT NULL REFERENCES notify_channel (id) ON DELETE CASCADE,
    alert_id   uuid NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
    level      text NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (channel_id, alert_id)
);
CREATE INDEX notify_delivered_alert_id_idx ON notify_delivered (alert_id);

CREATE TABLE notify_delivery (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    channel_id uuid NOT NULL REFERENCES notify_channel (id) ON DELETE CASCADE,
    at         timestamptz NOT NULL,
    outcome    text NOT NULL,
    detail     text NOT NULL,
    hostname   text NOT NULL,
    alert_ids  uuid[] NOT NULL,
    attempt    integer NOT NULL
);
CREATE INDEX notify_delivery_channel_id_idx ON notify_delivery (channel_id, id DESC);
CREATE INDEX notify_delivery_at_idx ON notify_delivery (at);

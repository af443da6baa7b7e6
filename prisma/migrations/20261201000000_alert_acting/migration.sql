-- What users do about alerts: acknowledgements, silences, bulk operations that can be undone, and the lists of the server
-- as they stood when an alert opened.

ALTER TABLE alert
    ADD COLUMN acknowledged_by uuid REFERENCES account (id) ON DELETE SET NULL,
    ADD COLUMN acknowledged_note text;
CREATE INDEX alert_acknowledged_by_idx ON alert (acknowledged_by) WHERE acknowledged_by IS NOT NULL;

-- What happened to an alert besides its opening and its end, which the alert holds itself.
CREATE TABLE alert_event (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    alert_id   uuid NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
    at         timestamptz NOT NULL,
    -- escalated, acknowledged or unacknowledged.
    kind       text NOT NULL,
    -- Who did it; null: Plimsoll, or the account is gone.
    account_id uuid REFERENCES account (id) ON DELETE SET NULL,
    note       text,
    level      text
);
CREATE INDEX alert_event_alert_id_idx ON alert_event (alert_id, id);
CREATE INDEX alert_event_by_idx ON alert_event (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE alert_silence (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    -- An alert matches if it matches each column that is not null.
    server_id  uuid REFERENCES server (id) ON DELETE CASCADE,
    tag_key    text,
    tag_value  text,
    metric     text,
    rule       text,
    subject    text,
    cluster_id text,
    namespace  text,
    starts_at  timestamptz NOT NULL,
    ends_at    timestamptz NOT NULL,
    comment    text NOT NULL,
    created_by uuid REFERENCES account (id) ON DELETE SET NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- Kept, so that the history of an alert still names it.
    deleted_at timestamptz,
    deleted_by uuid REFERENCES account (id) ON DELETE SET NULL
);
CREATE INDEX alert_silence_account_id_idx ON alert_silence (account_id, ends_at);
CREATE INDEX alert_silence_server_id_idx ON alert_silence (server_id);
CREATE INDEX alert_silence_created_by_idx ON alert_silence (created_by) WHERE created_by IS NOT NULL;
CREATE INDEX alert_silence_deleted_by_idx ON alert_silence (deleted_by) WHERE deleted_by IS NOT NULL;

CREATE TABLE alert_bulk (
    id         uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    action     text NOT NULL,
    at         timestamptz NOT NULL,
    undone_at  timestamptz,
    -- Per alert what it was before and after, or the silence it got.
    changes    jsonb NOT NULL
);
CREATE INDEX alert_bulk_account_id_idx ON alert_bulk (account_id);
CREATE INDEX alert_bulk_at_idx ON alert_bulk (at);

CREATE TABLE alert_black_box (
    alert_id uuid PRIMARY KEY REFERENCES alert (id) ON DELETE CASCADE,
    taken_at timestamptz NOT NULL,
    body     jsonb NOT NULL
);

-- A server takes its alerts to its new owner, but not what the people of the old owner wrote about them.
CREATE FUNCTION forget_acting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE alert SET acknowledged_at = NULL, acknowledged_by = NULL, acknowledged_note = NULL
        WHERE server_key = NEW.key AND acknowledged_at IS NOT NULL;
    DELETE FROM alert_event e USING alert a
        WHERE e.alert_id = a.id AND a.server_key = NEW.key AND e.kind <> 'escalated';
    RETURN NULL;
END $$;
CREATE TRIGGER server_forget_acting AFTER UPDATE OF account_id ON server
    FOR EACH ROW WHEN (OLD.account_id IS DISTINCT FROM NEW.account_id) EXECUTE FUNCTION forget_acting();

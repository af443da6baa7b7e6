-- The detail of an alert lists the attempts to send it.
CREATE INDEX notify_delivery_alert_ids_idx ON notify_delivery USING gin (alert_ids);

-- What the levels of an alert were is no secret of the old owner.
CREATE OR REPLACE FUNCTION forget_acting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE alert SET acknowledged_at = NULL, acknowledged_by = NULL, acknowledged_note = NULL
        WHERE server_key = NEW.key AND acknowledged_at IS NOT NULL;
    DELETE FROM alert_event e USING alert a
        WHERE e.alert_id = a.id AND a.server_key = NEW.key AND e.kind IN ('acknowledged', 'unacknowledged');
    RETURN NULL;
END $$;

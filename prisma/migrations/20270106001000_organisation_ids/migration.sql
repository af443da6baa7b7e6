-- A column that holds an organisation is named for it. account_id remains where a person is meant: membership, session,
-- sign_in_code, remembered_device, api_token, sign_in_identity, ai_conversation.
DO $$
DECLARE
  owned text;
  named record;
BEGIN
  FOREACH owned IN ARRAY ARRAY['enrolment_token', 'server', 'cluster', 'cluster_token', 'alert_rule', 'alert', 'alert_event',
    'alert_silence', 'alert_bulk', 'incident', 'notify_channel', 'audit_log', 'retention_setting', 'fleet_rollup',
    'fleet_rollup_due', 'ai_setting', 'status_page', 'external_reading']
  LOOP
    EXECUTE format('ALTER TABLE %I RENAME COLUMN account_id TO organisation_id', owned);
    FOR named IN SELECT conname FROM pg_constraint WHERE conrelid = owned::regclass AND conname LIKE '%account\_id%' LOOP
      EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT %I TO %I', owned, named.conname,
        replace(named.conname, 'account_id', 'organisation_id'));
    END LOOP;
    FOR named IN SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = owned::regclass AND c.relname LIKE '%account\_id%' LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', named.relname, replace(named.relname, 'account_id', 'organisation_id'));
    END LOOP;
  END LOOP;
END $$;

-- The bodies of functions are texts, which no renaming reaches.
CREATE OR REPLACE FUNCTION set_series_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.series_tenant = COALESCE((SELECT a.series_tenant FROM account a WHERE a.id = NEW.organisation_id), 0);
    RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION fleet_rollup_of_moved_server() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO fleet_rollup_due (organisation_id, level, ts)
    SELECT owner.id, bucket.level, bucket.ts
    FROM (
        SELECT '5m' AS level, ts FROM host_rollup_5m WHERE server_key = OLD.key
        UNION ALL
        SELECT '1h', ts FROM host_rollup_1h WHERE server_key = OLD.key
    ) bucket, unnest(ARRAY[OLD.organisation_id, NEW.organisation_id]) AS owner (id)
    WHERE owner.id IS NOT NULL
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

-- Who did it: a person, with the API token that was used, or neither for a collector and for Plimsoll itself. Names are
-- those of that time, because a person or a token may be gone when somebody reads the entry.
ALTER TABLE audit_log
    ADD COLUMN person_id uuid,
    ADD COLUMN person_name text,
    ADD COLUMN token_id uuid,
    ADD COLUMN token_name text;

-- Some entries held the id of the person instead of the organisation, so that nobody could read those of a guest.
UPDATE audit_log SET person_id = organisation_id
WHERE action IN ('signed_in', 'sign_in_failed', 'signed_out', 'session_revoked', 'token_created', 'token_revoked',
    'pod_logs_read', 'password_changed', 'second_factor_on', 'second_factor_off', 'member_joined', 'deletion_planned',
    'deletion_withdrawn', 'recovered_on_server');
UPDATE audit_log SET person_id = (detail ->> 'by')::uuid
WHERE detail ->> 'by' ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
UPDATE audit_log l SET organisation_id = m.organisation_id
FROM membership m WHERE m.account_id = l.person_id AND l.organisation_id = l.person_id;
UPDATE audit_log l SET person_name = a.name FROM account a WHERE a.id = l.person_id;

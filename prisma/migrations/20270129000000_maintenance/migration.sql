-- Recurring maintenance: its schedule, and a silence for each of its periods.
CREATE TABLE maintenance (
    id               uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    organisation_id  uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name             text NOT NULL,
    schedule         jsonb NOT NULL,
    zone             text NOT NULL,
    duration_seconds integer NOT NULL,
    -- No period starts after this day of the zone. NULL: it has no end.
    last_day         text,
    server_ids       uuid[] NOT NULL,
    check_ids        uuid[] NOT NULL,
    cluster_ids      text[] NOT NULL,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    created_by       uuid
);
CREATE INDEX maintenance_organisation_id_idx ON maintenance (organisation_id, created_at);

-- A period of a maintenance is a silence of these servers, checks and clusters. maintenance_id is NULL for
-- a silence of a user or an object; it stays when the maintenance is deleted.
ALTER TABLE alert_silence
    ADD COLUMN maintenance_id uuid,
    ADD COLUMN server_ids uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN check_ids uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN cluster_ids text[] NOT NULL DEFAULT '{}';
-- Two replicas plan the same period once.
CREATE UNIQUE INDEX alert_silence_maintenance ON alert_silence (maintenance_id, starts_at);

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE maintenance ALTER COLUMN schedule SET COMPRESSION lz4;
    END IF;
END
$$;

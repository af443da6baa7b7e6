-- Two clusters with one uid, as copies have: addresses of the API server tell them apart. `reported_uid` is the uid in the
-- reports of a copy that an admin separated; `uid` is its own.
ALTER TABLE cluster ADD COLUMN api_addresses text[] NOT NULL DEFAULT '{}', ADD COLUMN rival jsonb, ADD COLUMN reported_uid text;

-- As all other JSON, where PostgreSQL was built with LZ4.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE cluster ALTER COLUMN rival SET COMPRESSION lz4;
    END IF;
END
$$;

-- Objects of the collector's reports that could not be stored, and the listing that is arriving: its items and losses.
ALTER TABLE cluster ADD COLUMN refusals jsonb NOT NULL DEFAULT '[]', ADD COLUMN listing_progress jsonb;

-- A volume without a limit has no capacity: EFS states 8 EiB.
ALTER TABLE kube_volume_usage ALTER COLUMN used_bytes DROP NOT NULL, ALTER COLUMN capacity_bytes DROP NOT NULL;

-- As all other JSON, where PostgreSQL was built with LZ4.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE cluster ALTER COLUMN refusals SET COMPRESSION lz4, ALTER COLUMN listing_progress SET COMPRESSION lz4;
    END IF;
END
$$;

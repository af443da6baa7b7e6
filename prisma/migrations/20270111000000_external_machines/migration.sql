-- Machines that send under one name are told apart. `apart`: labels of the series that name more than the source, such
-- as the cluster. `machines`: on the row that is kept of a source, its machines and the last figures of each.
ALTER TABLE external_reading ADD COLUMN apart text NOT NULL DEFAULT '';
ALTER TABLE external_reading ADD COLUMN machines json;

-- As all other JSON, where PostgreSQL was built with LZ4.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE external_reading ALTER COLUMN machines SET COMPRESSION lz4;
    END IF;
END
$$;

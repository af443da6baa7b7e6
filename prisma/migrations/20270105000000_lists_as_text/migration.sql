-- Lists and parts are written each minute and read now and then. Of a report's cost a quarter was to read JSON: jsonb
-- takes four times as long to build as the same text takes to check, and the API, which made the text, need not have the
-- lists checked at all. What reads them casts them.
ALTER TABLE server_list ALTER COLUMN entries TYPE text;
ALTER TABLE process_minute ALTER COLUMN entries TYPE text;
ALTER TABLE server_parts
    ALTER COLUMN per_core_percent TYPE json,
    ALTER COLUMN filesystems TYPE json,
    ALTER COLUMN disks TYPE json,
    ALTER COLUMN interfaces TYPE json,
    ALTER COLUMN agent TYPE json;

-- A column of a new type forgets its compression. Arrays of numbers hardly become smaller: LZ4 sees that soon, pglz does
-- not and is spared them.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE server_list
            ALTER COLUMN first_rank SET STORAGE EXTERNAL,
            ALTER COLUMN second_rank SET STORAGE EXTERNAL;
        RETURN;
    END IF;
    ALTER TABLE server_list
        ALTER COLUMN entries SET COMPRESSION lz4,
        ALTER COLUMN first_rank SET COMPRESSION lz4,
        ALTER COLUMN second_rank SET COMPRESSION lz4;
    ALTER TABLE process_minute ALTER COLUMN entries SET COMPRESSION lz4;
    ALTER TABLE server_parts
        ALTER COLUMN per_core_percent SET COMPRESSION lz4,
        ALTER COLUMN filesystems SET COMPRESSION lz4,
        ALTER COLUMN disks SET COMPRESSION lz4,
        ALTER COLUMN interfaces SET COMPRESSION lz4,
        ALTER COLUMN agent SET COMPRESSION lz4;
END
$$;

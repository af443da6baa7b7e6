-- Lists and parts are written each minute and read now and then. Where PostgreSQL was built with LZ4 it compresses them
-- for a fraction of the CPU of its own pglz. The bundled one has pglz only. Stored values stay as they are.
DO $$
DECLARE
    place record;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        RETURN;
    END IF;
    FOR place IN
        SELECT attrelid::regclass AS relation, attname
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
            AND atttypid IN ('json'::regtype, 'jsonb'::regtype) AND attstorage = 'x' AND NOT attisdropped
    LOOP
        -- A partition is one of these relations; those to come take it over from their table.
        EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET COMPRESSION lz4', place.relation, place.attname);
    END LOOP;
END
$$;

-- What an account's servers come to together, one row per bucket width and bucket: a chart over all servers reads as
-- many rows as it has points, however many servers there are. Written by the rollup job only.
CREATE TABLE fleet_rollup (
    account_id     uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    step_seconds   integer NOT NULL,
    ts             timestamptz NOT NULL,
    samples        integer NOT NULL,
    cpu_avg        real,
    cpu_min        real,
    cpu_max        real,
    io_wait_avg    real,
    io_wait_min    real,
    io_wait_max    real,
    memory_avg     real,
    memory_min     real,
    memory_max     real,
    disk_avg       real,
    disk_min       real,
    disk_max       real,
    -- Sums over servers: 24 bits are too few for the bytes of a fleet.
    operations_avg double precision,
    operations_min double precision,
    operations_max double precision,
    receive_avg    double precision,
    receive_min    double precision,
    receive_max    double precision,
    transmit_avg   double precision,
    transmit_min   double precision,
    transmit_max   double precision,
    connections_total       integer,
    connections_established integer,
    connections_listen      integer,
    connections_time_wait   integer,
    connections_close_wait  integer,
    connections_syn_sent    integer,
    connections_syn_recv    integer,
    PRIMARY KEY (account_id, step_seconds, ts)
);

-- Buckets of an account that changed and are still to be summed; until then they are read from the servers' rows.
-- Written in the transaction that changes them.
CREATE TABLE fleet_rollup_due (
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    level      text NOT NULL,
    ts         timestamptz NOT NULL,
    PRIMARY KEY (account_id, level, ts)
);

-- A server that is deleted or changes hands takes its past along. As a trigger, no statement can forget it; whoever
-- deletes a server deletes its rollups after it.
CREATE FUNCTION fleet_rollup_of_moved_server() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO fleet_rollup_due (account_id, level, ts)
    SELECT owner.id, bucket.level, bucket.ts
    FROM (
        SELECT '5m' AS level, ts FROM host_rollup_5m WHERE server_key = OLD.key
        UNION ALL
        SELECT '1h', ts FROM host_rollup_1h WHERE server_key = OLD.key
    ) bucket, unnest(ARRAY[OLD.account_id, NEW.account_id]) AS owner (id)
    WHERE owner.id IS NOT NULL
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER server_deleted AFTER DELETE ON server
    FOR EACH ROW EXECUTE FUNCTION fleet_rollup_of_moved_server();
CREATE TRIGGER server_moved AFTER UPDATE OF account_id ON server
    FOR EACH ROW WHEN (OLD.account_id IS DISTINCT FROM NEW.account_id) EXECUTE FUNCTION fleet_rollup_of_moved_server();

-- What is rolled up already.
INSERT INTO fleet_rollup_due (account_id, level, ts)
SELECT DISTINCT s.account_id, '5m', r.ts FROM host_rollup_5m r JOIN server s ON s.key = r.server_key
WHERE s.account_id IS NOT NULL
UNION ALL
SELECT DISTINCT s.account_id, '1h', r.ts FROM host_rollup_1h r JOIN server s ON s.key = r.server_key
WHERE s.account_id IS NOT NULL;

-- The use of each server over two weeks: what can be given back, and when its memory reaches its line.
CREATE TABLE server_usage (
    server_key       integer PRIMARY KEY REFERENCES server (key) ON DELETE CASCADE,
    computed_at      timestamptz NOT NULL,
    -- Hours of the two weeks with figures.
    hours            integer NOT NULL,
    -- Per cent. The p95 is of five minutes each; null: the server is too busy for anyone to need it.
    cpu_p95          real,
    memory_max       real,
    -- Means of the older and of the newer half.
    cpu_older        real,
    cpu_newer        real,
    memory_older     real,
    memory_newer     real,
    connections_mean real,
    connections_max  real,
    memory_trend     json
);

-- How an organisation wants its advice on sizes. No row: the defaults.
CREATE TABLE capacity_setting (
    organisation_id uuid PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    cpu_percentile  double precision NOT NULL,
    memory_surplus  double precision NOT NULL,
    days            integer NOT NULL,
    cpu_limit       text NOT NULL,
    updated_at      timestamptz NOT NULL
);

-- What a core and a gigabyte cost in a cluster. No row: no money is shown.
CREATE TABLE cluster_price (
    cluster_key integer PRIMARY KEY REFERENCES cluster (key) ON DELETE CASCADE,
    currency    text NOT NULL,
    core_hour   double precision NOT NULL,
    gb_hour     double precision NOT NULL,
    updated_at  timestamptz NOT NULL
);

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE server_usage ALTER COLUMN memory_trend SET COMPRESSION lz4;
    END IF;
END
$$;

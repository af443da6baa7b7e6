-- What fits into a cluster: the constraints of pods on nodes, each distinct set once; usage of containers for sizing; the
-- last plan of each cluster; and a row a day for the trend.
ALTER TABLE cluster
    ADD COLUMN reports_placements boolean NOT NULL DEFAULT false,
    ADD COLUMN reads_volumes boolean NOT NULL DEFAULT false;

CREATE TABLE kube_placement (
    cluster_key integer NOT NULL REFERENCES cluster (key) ON DELETE CASCADE,
    hash        text NOT NULL,
    object      jsonb NOT NULL,
    PRIMARY KEY (cluster_key, hash)
);
-- Hash of kube_placement. Null: the pod has no constraints. 'unknown': the collector could not send them.
ALTER TABLE kube_pod ADD COLUMN placement text;

-- Containers of one report of a node agent. A job adds them to capacity_container_day and deletes them.
CREATE TABLE capacity_reading (
    node_key     integer NOT NULL REFERENCES kube_node (key) ON DELETE CASCADE,
    ts           timestamptz NOT NULL,
    pods         integer[] NOT NULL,
    containers   text[] NOT NULL,
    cpu_cores    real[] NOT NULL,
    memory_bytes real[] NOT NULL,
    PRIMARY KEY (node_key, ts)
);

-- Histograms of a UTC day: logarithmic buckets of CPU (cores) and memory (bytes), in the form of api/src/capacity.
CREATE TABLE capacity_container_day (
    cluster_key integer NOT NULL REFERENCES cluster (key) ON DELETE CASCADE,
    namespace   text NOT NULL,
    kind        text NOT NULL,
    workload    text NOT NULL,
    container   text NOT NULL,
    day         date NOT NULL,
    cpu         bytea NOT NULL,
    memory      bytea NOT NULL,
    PRIMARY KEY (cluster_key, namespace, kind, workload, container, day)
);
CREATE INDEX capacity_container_day_day_idx ON capacity_container_day (day);

CREATE TABLE capacity_plan (
    cluster_key integer PRIMARY KEY REFERENCES cluster (key) ON DELETE CASCADE,
    computed_at timestamptz NOT NULL,
    -- What alerts and the dashboard read at each report.
    findings    jsonb NOT NULL,
    plan        json NOT NULL
);

-- Sums over the nodes of a pool; '' is the whole cluster. Amounts in cores and bytes.
CREATE TABLE capacity_day (
    cluster_key        integer NOT NULL REFERENCES cluster (key) ON DELETE CASCADE,
    pool               text NOT NULL,
    day                date NOT NULL,
    samples            integer NOT NULL,
    nodes              integer NOT NULL,
    cpu_allocatable    double precision,
    cpu_requested      double precision,
    cpu_used           double precision,
    memory_allocatable double precision,
    memory_requested   double precision,
    memory_used        double precision,
    PRIMARY KEY (cluster_key, pool, day)
);
CREATE INDEX capacity_day_day_idx ON capacity_day (day);

-- As all other JSON, where PostgreSQL was built with LZ4.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE kube_placement ALTER COLUMN object SET COMPRESSION lz4;
        ALTER TABLE capacity_reading
            ALTER COLUMN pods SET COMPRESSION lz4,
            ALTER COLUMN containers SET COMPRESSION lz4,
            ALTER COLUMN cpu_cores SET COMPRESSION lz4,
            ALTER COLUMN memory_bytes SET COMPRESSION lz4;
        ALTER TABLE capacity_plan
            ALTER COLUMN findings SET COMPRESSION lz4,
            ALTER COLUMN plan SET COMPRESSION lz4;
    END IF;
END
$$;

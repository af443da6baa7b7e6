-- CPU and memory of each container, every quarter of an hour for a day and a half.
CREATE TABLE container_history (
    ts           timestamptz NOT NULL,
    server_key   integer NOT NULL,
    -- One element a container, in one order.
    ids          text[] NOT NULL,
    cpu_percent  real[] NOT NULL,
    memory_bytes real[] NOT NULL,
    PRIMARY KEY (server_key, ts)
) PARTITION BY RANGE (ts);
CREATE TABLE container_history_default PARTITION OF container_history DEFAULT;

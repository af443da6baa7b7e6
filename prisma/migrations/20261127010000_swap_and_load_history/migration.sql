-- Swap and load of the closed buckets. Buckets closed before this migration keep none. Nullable without a default: no
-- table is rewritten, and the version before inserts without these columns.
ALTER TABLE host_rollup_5m
    ADD COLUMN swap_count integer,
    ADD COLUMN swap_avg   real,
    ADD COLUMN swap_min   real,
    ADD COLUMN swap_max   real,
    ADD COLUMN load_count integer,
    ADD COLUMN load_avg   real,
    ADD COLUMN load_min   real,
    ADD COLUMN load_max   real;
ALTER TABLE host_rollup_1h
    ADD COLUMN swap_count integer,
    ADD COLUMN swap_avg   real,
    ADD COLUMN swap_min   real,
    ADD COLUMN swap_max   real,
    ADD COLUMN load_count integer,
    ADD COLUMN load_avg   real,
    ADD COLUMN load_min   real,
    ADD COLUMN load_max   real;
-- Means over servers.
ALTER TABLE fleet_rollup
    ADD COLUMN swap_avg real,
    ADD COLUMN swap_min real,
    ADD COLUMN swap_max real,
    ADD COLUMN load_avg real,
    ADD COLUMN load_min real,
    ADD COLUMN load_max real;

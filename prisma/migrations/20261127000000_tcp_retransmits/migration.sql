-- TCP segments sent again, a second. Nullable without a default: no table is rewritten, and the version before inserts
-- without these columns.
ALTER TABLE host_sample ADD COLUMN tcp_retransmits_per_second real;
ALTER TABLE server_latest ADD COLUMN tcp_retransmits_per_second real;
ALTER TABLE host_rollup_5m
    ADD COLUMN tcp_retransmits_count integer,
    ADD COLUMN tcp_retransmits_avg   real,
    ADD COLUMN tcp_retransmits_min   real,
    ADD COLUMN tcp_retransmits_max   real;
ALTER TABLE host_rollup_1h
    ADD COLUMN tcp_retransmits_count integer,
    ADD COLUMN tcp_retransmits_avg   real,
    ADD COLUMN tcp_retransmits_min   real,
    ADD COLUMN tcp_retransmits_max   real;
-- Sums over servers.
ALTER TABLE fleet_rollup
    ADD COLUMN tcp_retransmits_avg double precision,
    ADD COLUMN tcp_retransmits_min double precision,
    ADD COLUMN tcp_retransmits_max double precision;

-- Sums over servers outgrow an integer. Double precision is exact to 2^53, and the version before reads it as a number too,
-- which it does not with a bigint.
ALTER TABLE fleet_rollup
    ALTER COLUMN samples                 TYPE double precision,
    ALTER COLUMN connections_total       TYPE double precision,
    ALTER COLUMN connections_established TYPE double precision,
    ALTER COLUMN connections_listen      TYPE double precision,
    ALTER COLUMN connections_time_wait   TYPE double precision,
    ALTER COLUMN connections_close_wait  TYPE double precision,
    ALTER COLUMN connections_syn_sent    TYPE double precision,
    ALTER COLUMN connections_syn_recv    TYPE double precision;

-- Results of checks by 5 minutes and by hour, for charts beyond the 7 days of results.
CREATE TABLE check_rollup_5m (
    ts          timestamptz NOT NULL,
    check_key   integer NOT NULL REFERENCES check_definition (key) ON DELETE CASCADE,
    -- Results that say something about the target, and the good ones among them.
    results     integer NOT NULL,
    good        integer NOT NULL,
    dns_ms      real,
    connect_ms  real,
    tls_ms      real,
    wait_ms     real,
    transfer_ms real,
    total_ms    real,
    min_ms      real,
    p95_ms      real,
    max_ms      real,
    PRIMARY KEY (check_key, ts)
) PARTITION BY RANGE (ts);
CREATE TABLE check_rollup_5m_default PARTITION OF check_rollup_5m DEFAULT;

CREATE TABLE check_rollup_1h (LIKE check_rollup_5m INCLUDING DEFAULTS, PRIMARY KEY (check_key, ts),
    FOREIGN KEY (check_key) REFERENCES check_definition (key) ON DELETE CASCADE) PARTITION BY RANGE (ts);
CREATE TABLE check_rollup_1h_default PARTITION OF check_rollup_1h DEFAULT;

-- One row: the results before this moment are rolled up.
CREATE TABLE check_rollup_state (
    id        integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    rolled_to timestamptz NOT NULL
);

-- Hours whose results arrived late. One row a place, so that places do not wait for each other.
CREATE TABLE check_rollup_due (
    hour      timestamptz NOT NULL,
    place_key integer NOT NULL,
    PRIMARY KEY (hour, place_key)
);

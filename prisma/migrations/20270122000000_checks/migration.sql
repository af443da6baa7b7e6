-- Checks and heartbeats: what is checked, from where, the results and the outages.
CREATE TABLE check_definition (
    id               uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    -- The narrow handle that the rows of results carry.
    key              integer NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
    organisation_id  uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name             text NOT NULL,
    kind             text NOT NULL,
    -- Without its secrets. Null: a heartbeat.
    probe            jsonb,
    -- Headers and body, sealed with the id of the row.
    secrets          bytea,
    header_names     text[] NOT NULL DEFAULT '{}',
    has_body         boolean NOT NULL DEFAULT false,
    runs_on_api      boolean NOT NULL,
    server_ids       uuid[] NOT NULL DEFAULT '{}',
    tag_key          text,
    tag_value        text,
    -- An admin let the chosen servers hold the secrets.
    shares_secrets   boolean NOT NULL DEFAULT false,
    -- Places that must fail. Null: a majority.
    needed           integer,
    retries          integer NOT NULL,
    interval_seconds integer NOT NULL,
    is_enabled       boolean NOT NULL,
    -- Of a heartbeat. Null: a probe.
    schedule         jsonb,
    grace_seconds    integer,
    key_hash         bytea UNIQUE,
    -- The server that a failure of the check belongs to.
    server_id        uuid REFERENCES server (id) ON DELETE SET NULL,
    -- Changes with everything that decides a result.
    rev              bigint NOT NULL DEFAULT 1,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    created_by       uuid
);
CREATE INDEX check_definition_organisation_id_idx ON check_definition (organisation_id, created_at);
CREATE INDEX check_definition_server_id_idx ON check_definition (server_id);

-- What is known of a check now: the fold of its results.
CREATE TABLE check_state (
    check_key   integer PRIMARY KEY REFERENCES check_definition (key) ON DELETE CASCADE,
    version     bigint NOT NULL DEFAULT 1,
    fold        jsonb NOT NULL,
    certificate jsonb,
    heartbeat   jsonb
);

-- One row a report or tick of a place, one element a result.
CREATE TABLE check_result (
    ts              timestamptz NOT NULL,
    organisation_id uuid NOT NULL,
    -- Key of the server; 0 is the API.
    place_key       integer NOT NULL,
    check_keys      integer[] NOT NULL,
    revs            bigint[] NOT NULL,
    -- Seconds before ts.
    ages            real[] NOT NULL,
    -- Null: no vote.
    oks             boolean[] NOT NULL,
    reasons         text[] NOT NULL,
    phases          text[] NOT NULL,
    statuses        smallint[] NOT NULL,
    sizes           integer[] NOT NULL,
    dns_ms          real[] NOT NULL,
    connect_ms      real[] NOT NULL,
    tls_ms          real[] NOT NULL,
    wait_ms         real[] NOT NULL,
    transfer_ms     real[] NOT NULL,
    total_ms        real[] NOT NULL,
    PRIMARY KEY (ts, organisation_id, place_key)
) PARTITION BY RANGE (ts);
CREATE TABLE check_result_default PARTITION OF check_result DEFAULT;

CREATE TABLE check_outage (
    id        uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    check_key integer NOT NULL REFERENCES check_definition (key) ON DELETE CASCADE,
    -- "down" or "unknown".
    kind      text NOT NULL,
    began_at  timestamptz NOT NULL,
    ended_at  timestamptz,
    reason    text,
    status    integer,
    phase     text,
    -- Places that failed, of those that voted.
    failed    integer NOT NULL,
    voted     integer NOT NULL
);
CREATE INDEX check_outage_check_key_idx ON check_outage (check_key, began_at DESC);
CREATE UNIQUE INDEX check_outage_open ON check_outage (check_key) WHERE ended_at IS NULL;

-- Changes with the checks of an organisation, so that its collectors fetch their list.
CREATE TABLE check_config (
    organisation_id uuid PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    rev             bigint NOT NULL
);

-- As all other JSON, where PostgreSQL was built with LZ4.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE check_definition ALTER COLUMN probe SET COMPRESSION lz4, ALTER COLUMN schedule SET COMPRESSION lz4;
        ALTER TABLE check_state ALTER COLUMN fold SET COMPRESSION lz4, ALTER COLUMN certificate SET COMPRESSION lz4,
            ALTER COLUMN heartbeat SET COMPRESSION lz4;
    END IF;
END
$$;

-- One row: the API's own checks have been started up to this moment, by whichever replica claimed the time before it.
CREATE TABLE check_tick (
    id     integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    ran_to timestamptz NOT NULL
);

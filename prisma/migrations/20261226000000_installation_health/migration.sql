-- Version of the API process, and how the last runs of its jobs ended; null: written by an older version.
ALTER TABLE api_uptime
    ADD COLUMN version text,
    ADD COLUMN jobs    json;

-- Size of the database, stored each hour: its growth is the difference.
CREATE TABLE database_size (
    at    timestamptz PRIMARY KEY,
    bytes double precision NOT NULL
);

-- A collector whose token was revoked is shown on the page of the server that it reported for.
CREATE TABLE revoked_agent_token (
    token_hash bytea PRIMARY KEY,
    server_key integer NOT NULL REFERENCES server (key) ON DELETE CASCADE,
    revoked_at timestamptz NOT NULL,
    refused_at timestamptz
);
CREATE INDEX revoked_agent_token_server_key_idx ON revoked_agent_token (server_key);

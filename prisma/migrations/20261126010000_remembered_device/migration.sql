-- Browsers that signed in with the password before. Each has its own rate, so strangers cannot use up the owner's.
CREATE TABLE remembered_device (
    device_hash bytea PRIMARY KEY,
    account_id  uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    created_at  timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL
);
CREATE INDEX remembered_device_account_id_idx ON remembered_device (account_id, created_at);

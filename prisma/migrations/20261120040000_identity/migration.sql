-- What an account has beside its password: tokens, other ways to sign in, a second factor, a trail, its own retention.

ALTER TABLE session ADD COLUMN user_agent text, ADD COLUMN address text, ADD COLUMN method text;

ALTER TABLE account
    -- Sealed with the instance's key; confirmed once a first code was right. last_step: no code works twice.
    ADD COLUMN totp_secret bytea,
    ADD COLUMN totp_confirmed_at timestamptz,
    ADD COLUMN totp_last_step bigint,
    ADD COLUMN deletion_at timestamptz;

CREATE TABLE api_token (
    id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id   uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name         text NOT NULL,
    token_hash   bytea NOT NULL,
    last_four    text NOT NULL,
    scopes       text[] NOT NULL,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz
);
CREATE UNIQUE INDEX api_token_token_hash_key ON api_token (token_hash);
-- Generating again under the same name replaces.
CREATE UNIQUE INDEX api_token_account_id_name_key ON api_token (account_id, name);

-- Accounts are found by provider and subject, never by e-mail alone.
CREATE TABLE sign_in_identity (
    provider   text NOT NULL,
    subject    text NOT NULL,
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (provider, subject)
);
CREATE INDEX sign_in_identity_account_id_idx ON sign_in_identity (account_id);

-- A sign-in under way at a provider; used up by the callback.
CREATE TABLE sign_in_flow (
    state_hash   bytea PRIMARY KEY,
    provider     text NOT NULL,
    verifier     text NOT NULL,
    nonce        text NOT NULL,
    binding_hash bytea NOT NULL,
    expires_at   timestamptz NOT NULL
);
CREATE INDEX sign_in_flow_expires_at_idx ON sign_in_flow (expires_at);

-- Append-only. No foreign key: the trail of a deleted account is deleted with it by its own statement.
CREATE TABLE audit_log (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL,
    at         timestamptz NOT NULL,
    action     text NOT NULL,
    address    text,
    detail     jsonb NOT NULL
);
CREATE INDEX audit_log_account_id_idx ON audit_log (account_id, id DESC);

CREATE TABLE retention_setting (
    account_id     uuid PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    metrics_days   integer NOT NULL,
    alerts_days    integer NOT NULL,
    events_days    integer NOT NULL,
    processes_days integer NOT NULL
);

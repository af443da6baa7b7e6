-- The model of an organisation, and the conversations of an account.

CREATE TABLE ai_setting (
    account_id uuid PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    provider   text NOT NULL,
    base_url   text NOT NULL,
    model      text NOT NULL,
    -- Sealed with the id of the account; null: the provider takes none.
    api_key    bytea,
    -- The last 4 characters of the key.
    key_end    text,
    updated_at timestamptz NOT NULL
);

CREATE TABLE ai_conversation (
    id              uuid PRIMARY KEY,
    -- The person; what was asked belongs to nobody else in the organisation.
    account_id      uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    organisation_id uuid NOT NULL,
    title           text NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL
);
CREATE INDEX ai_conversation_account_id_idx ON ai_conversation (account_id, updated_at);
CREATE INDEX ai_conversation_updated_at_idx ON ai_conversation (updated_at);

CREATE TABLE ai_message (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    conversation_id uuid NOT NULL REFERENCES ai_conversation (id) ON DELETE CASCADE,
    role            text NOT NULL,
    content         text NOT NULL,
    sources         jsonb NOT NULL,
    charts          jsonb NOT NULL,
    at              timestamptz NOT NULL
);
CREATE INDEX ai_message_conversation_id_idx ON ai_message (conversation_id, id);

-- Links by which people become members of an organisation. Using one deletes it.
CREATE TABLE invitation (
    id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    organisation_id uuid NOT NULL REFERENCES organisation (id) ON DELETE CASCADE,
    code_hash       bytea NOT NULL UNIQUE,
    role            text NOT NULL CHECK (role IN ('admin', 'editor', 'viewer')),
    -- Null: whoever has the link.
    email           text,
    created_at      timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL
);
CREATE INDEX invitation_organisation_id_idx ON invitation (organisation_id);

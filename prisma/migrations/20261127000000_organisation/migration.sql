-- Organisations own what an account owned alone. Each has the id of the account that founded it, so every account_id
-- column names the organisation as well.
CREATE TABLE organisation (
    id         uuid PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    name       text NOT NULL,
    created_at timestamptz NOT NULL
);

-- An account is a member of one organisation at a time. Without a row it is the admin of its own.
CREATE TABLE membership (
    account_id      uuid PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    organisation_id uuid NOT NULL REFERENCES organisation (id) ON DELETE CASCADE,
    role            text NOT NULL CHECK (role IN ('admin', 'editor', 'viewer')),
    created_at      timestamptz NOT NULL
);
CREATE INDEX membership_organisation_id_idx ON membership (organisation_id);

-- By trigger: during a rolling restart version 0.1.0 still inserts accounts. It comes before the rows of the accounts
-- there are, and its lock lasts until the end of the migration, so no account is missed in between.
CREATE FUNCTION create_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO organisation (id, name, created_at) VALUES (NEW.id, NEW.name, NEW.created_at);
    INSERT INTO membership (account_id, organisation_id, role, created_at) VALUES (NEW.id, NEW.id, 'admin', NEW.created_at);
    RETURN NULL;
END
$$;
CREATE TRIGGER account_organisation AFTER INSERT ON account FOR EACH ROW EXECUTE FUNCTION create_organisation();

INSERT INTO organisation (id, name, created_at) SELECT id, name, created_at FROM account;
INSERT INTO membership (account_id, organisation_id, role, created_at) SELECT id, id, 'admin', created_at FROM account;

-- Pages that show chosen servers to anyone who has the address.

CREATE TABLE status_page (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id    uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    -- 128 random bits: whoever has the address may read the page. Stored in clear, because the owner copies it again.
    slug          text NOT NULL UNIQUE,
    title         text NOT NULL,
    message       text NOT NULL,
    shows_names   boolean NOT NULL,
    shows_figures boolean NOT NULL,
    is_indexable  boolean NOT NULL,
    is_published  boolean NOT NULL,
    -- NULL: it does not expire.
    expires_at    timestamptz,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL
);
CREATE INDEX status_page_account_id_idx ON status_page (account_id, created_at);

CREATE TABLE status_page_server (
    page_id   uuid NOT NULL REFERENCES status_page (id) ON DELETE CASCADE,
    server_id uuid NOT NULL REFERENCES server (id) ON DELETE CASCADE,
    position  integer NOT NULL,
    -- A name of the owner's choice. NULL: none.
    label     text,
    PRIMARY KEY (page_id, server_id)
);
CREATE INDEX status_page_server_server_id_idx ON status_page_server (server_id);

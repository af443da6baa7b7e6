-- Parts of a server that its owner hid: they neither alert nor count in its headroom.
CREATE TABLE hidden_part (
    server_key integer NOT NULL REFERENCES server (key) ON DELETE CASCADE,
    kind       text NOT NULL CHECK (kind IN ('filesystem', 'interface', 'sensor', 'container')),
    -- The subject of its alerts: mount point, interface, chip and label, name of a container or its id.
    subject    text NOT NULL,
    hidden_at  timestamptz NOT NULL,
    PRIMARY KEY (server_key, kind, subject)
);

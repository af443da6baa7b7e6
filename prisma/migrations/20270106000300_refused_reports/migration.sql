-- A server whose reports the API refuses: it talks, and nothing of it is stored. The row goes when a report is stored.
CREATE TABLE report_refusal (
    server_key integer PRIMARY KEY REFERENCES server (key) ON DELETE CASCADE,
    since timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    code text NOT NULL,
    detail text NOT NULL
);

-- Public status pages: checks beside the servers.
CREATE TABLE status_page_check (
    page_id    uuid NOT NULL REFERENCES status_page (id) ON DELETE CASCADE,
    check_id   uuid NOT NULL REFERENCES check_definition (id) ON DELETE CASCADE,
    position   integer NOT NULL,
    -- A name of the owner's choice. NULL: none.
    label      text,
    group_name text,
    PRIMARY KEY (page_id, check_id)
);
CREATE INDEX status_page_check_check_id_idx ON status_page_check (check_id);

-- Checks of the page whose parts an incident affects. A check that leaves the page is ignored.
ALTER TABLE status_incident ADD COLUMN check_ids uuid[] NOT NULL DEFAULT '{}';

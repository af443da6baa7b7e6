-- An admin may give a cluster another name than its collector reports. The reported name stays, so that it can return.
ALTER TABLE cluster ADD COLUMN reported_name text, ADD COLUMN is_renamed boolean NOT NULL DEFAULT false;
UPDATE cluster SET reported_name = name;

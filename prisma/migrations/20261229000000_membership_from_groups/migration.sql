-- A membership that the groups of the identity provider gave ends when they no longer do. One by invitation stays.
ALTER TABLE membership ADD COLUMN is_from_groups boolean NOT NULL DEFAULT false;

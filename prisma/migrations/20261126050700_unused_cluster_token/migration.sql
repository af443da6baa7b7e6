-- A token that Setup creates expires at this time unless a collector has used it. Null: it does not expire.
ALTER TABLE cluster_token ADD COLUMN expires_unused_at timestamptz;

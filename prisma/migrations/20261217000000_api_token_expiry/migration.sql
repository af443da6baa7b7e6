-- A token of a script may end by itself. NULL: it does not expire.
ALTER TABLE api_token ADD COLUMN expires_at timestamptz;

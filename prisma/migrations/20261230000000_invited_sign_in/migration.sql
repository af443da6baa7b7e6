-- An invited person may create the account by a sign-in at a provider. The code itself is never stored.
ALTER TABLE sign_in_flow ADD COLUMN invitation_hash bytea;

-- A cluster whose collectors run but have no leader differs from one whose collectors are gone.

-- Last message of a replica that cannot take the lease: when and why. Null: none since the last leader.
ALTER TABLE cluster ADD COLUMN standby jsonb;

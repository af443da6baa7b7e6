-- Two machines with one machine id are told apart by the boot and the time of their last enrolment.
ALTER TABLE server ADD COLUMN enrolled_at timestamptz, ADD COLUMN enrolled_boot integer;
CREATE INDEX server_machine_hash_idx ON server (machine_hash);

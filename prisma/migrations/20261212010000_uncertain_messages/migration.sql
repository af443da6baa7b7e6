-- A process ended while it sent: whether the message arrived is not known.
ALTER TABLE notify_outbox ADD COLUMN may_have_arrived boolean NOT NULL DEFAULT false;

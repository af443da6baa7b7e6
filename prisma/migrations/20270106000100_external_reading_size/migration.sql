-- Size of the figures of a row. It bounds what the requests of one interval store of a server, and what the job that
-- makes the reports reads at once. Rows of an earlier version wait for a minute at most, so they count as empty.
ALTER TABLE external_reading ADD COLUMN characters integer NOT NULL DEFAULT 0;

-- Buckets that a rollup failed on. The job sets them aside, goes on with the others and tries them again at retry_at.

-- One server's or node's bucket. subject_key is server.key, or kube_node.key for level 'kubernetes-5m'; no foreign key,
-- because the next try of a bucket without samples deletes the row.
CREATE TABLE rollup_set_aside (
    level       text NOT NULL,
    subject_key integer NOT NULL,
    ts          timestamptz NOT NULL,
    attempts    integer NOT NULL DEFAULT 1,
    failed_at   timestamptz NOT NULL,
    retry_at    timestamptz NOT NULL,
    error       text NOT NULL,
    PRIMARY KEY (level, subject_key, ts)
);

-- A fleet's bucket stays due, so that charts read it from the servers' rows until it is summed.
ALTER TABLE fleet_rollup_due
    ADD COLUMN attempts integer NOT NULL DEFAULT 0,
    ADD COLUMN failed_at timestamptz,
    ADD COLUMN retry_at timestamptz,
    ADD COLUMN error text;

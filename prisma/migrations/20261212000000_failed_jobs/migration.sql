-- Jobs that failed, by their own condition. Older collectors report the events of the Job controller alone.

-- The collector of the last report sends failed jobs.
ALTER TABLE cluster ADD COLUMN reports_jobs boolean NOT NULL DEFAULT false;

CREATE TABLE kube_job (
    cluster_key integer NOT NULL REFERENCES cluster (key) ON DELETE CASCADE,
    uid         text NOT NULL,
    namespace   text NOT NULL,
    name        text NOT NULL,
    -- What made the job, such as a CronJob.
    owner_kind  text,
    owner_name  text,
    failed_at   timestamptz NOT NULL,
    reason      text,
    message     text,
    PRIMARY KEY (cluster_key, uid)
);
CREATE INDEX kube_job_failed_at_idx ON kube_job (cluster_key, failed_at);

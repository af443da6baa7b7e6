-- Restarts that nobody watched, between two OOM kills of the same container, count as OOM kills.

-- True: the reason was not seen. The runs before and after this one both ended with an OOM kill.
ALTER TABLE kube_container_end ADD COLUMN is_inferred boolean NOT NULL DEFAULT false;

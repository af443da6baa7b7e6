-- Pods are listed worst state first: a narrow column keeps the sort off the bulky objects.

-- 0 broken, 1 unknown, 2 pending, 3 running and not ready, 4 terminating, 5 running and ready, 6 finished.
ALTER TABLE kube_pod ADD COLUMN severity smallint GENERATED ALWAYS AS (CASE
    WHEN phase = 'Succeeded' THEN 6
    WHEN (object->>'deleting')::boolean THEN 4
    WHEN phase = 'Failed' OR reason IS NOT NULL THEN 0
    WHEN phase = 'Unknown' THEN 1
    WHEN phase = 'Pending' THEN 2
    WHEN NOT (object->>'ready')::boolean THEN 3
    ELSE 5 END) STORED;

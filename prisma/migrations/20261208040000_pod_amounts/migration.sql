-- Requests and limits are summed over namespaces and workloads: narrow columns keep the sums off the bulky objects.

ALTER TABLE kube_pod
    ADD COLUMN cpu_request    double precision GENERATED ALWAYS AS ((object->'requests'->>'cpu_cores')::float8) STORED,
    ADD COLUMN memory_request double precision GENERATED ALWAYS AS ((object->'requests'->>'memory_bytes')::float8) STORED,
    ADD COLUMN cpu_limit      double precision GENERATED ALWAYS AS ((object->'limits'->>'cpu_cores')::float8) STORED,
    ADD COLUMN memory_limit   double precision GENERATED ALWAYS AS ((object->'limits'->>'memory_bytes')::float8) STORED;

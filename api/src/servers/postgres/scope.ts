// SQL reads what a scope looks at: tags, region, clusters and last report come from four tables in one statement.
import type { Owner } from '../../tenancy/owner.ts';
import type { ScopeFacts } from '../types.ts';
import type { Database } from '../../database/database.ts';

interface FactsRow {
  key: number;
  id: string;
  tags: Record<string, string>;
  region: string | null;
  clusters: string[];
  report_interval_seconds: number;
  uninstalled_at: Date | null;
  last_seen_at: Date | null;
  refused_at: Date | null;
}

const SCOPE_FACTS = `SELECT s.key, s.id, s.tags, s.report_interval_seconds, s.uninstalled_at,
    (SELECT value->>'region' FROM server_fact f WHERE f.server_key = s.key AND f.name = 'system') AS region,
    (SELECT max(last_received_at) FROM report_stream r WHERE r.server_key = s.key) AS last_seen_at,
    (SELECT last_at FROM report_refusal f WHERE f.server_key = s.key) AS refused_at,
    ARRAY(SELECT named.text FROM kube_node n JOIN cluster c ON c.key = n.cluster_key AND c.organisation_id = s.organisation_id
      CROSS JOIN LATERAL (VALUES (c.uid), (c.name)) AS named(text)
      WHERE n.server_id = s.id AND n.gone_at IS NULL AND named.text IS NOT NULL) AS clusters
  FROM server s WHERE s.organisation_id = $1`;

export async function scopeFacts({ pool }: Database, owner: Owner): Promise<ScopeFacts[]> {
  const { rows } = await pool.query<FactsRow>({
    name: 'scope_facts',
    text: SCOPE_FACTS,
    values: [owner.organisationId],
  });
  return rows.map((row) => ({
    key: row.key,
    id: row.id,
    tags: row.tags,
    region: row.region,
    clusters: row.clusters,
    lastSeenAt: row.last_seen_at?.getTime() ?? null,
    uninstalledAt: row.uninstalled_at?.getTime() ?? null,
    refusal: row.refused_at && { lastAt: row.refused_at.getTime() },
    reportIntervalSeconds: row.report_interval_seconds,
  }));
}

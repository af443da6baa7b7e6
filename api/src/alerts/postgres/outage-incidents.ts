// SQL opens and ends outages: a partial index lets one of several replicas open each.
import type { Pool } from 'pg';
import { inTransaction } from '../../database/database.ts';
import { timestamp as at } from '../../database/time.ts';
import type { AlertOutbox, Incidents } from '../store.ts';
import { LOCK_ROOT, OPEN_INCIDENT, refresh } from './settle-incidents.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

/** $1 account  $2 level  $3 title  $4 message  $5 silent servers  $6 line  $7 now, ms  $8 incident */
const OPEN_OUTAGE = `INSERT INTO alert (organisation_id, rule, subject, metric, level, title, message, value, threshold, opened_at,
    updated_at, incident_id)
  VALUES ($1, 'default-ingest-outage', '', 'ingest_outage', $2, $3, $4, $5, $6, ${at('$7')}, ${at('$7')}, $8)
  ON CONFLICT (organisation_id, rule, subject) WHERE resolved_at IS NULL AND organisation_id IS NOT NULL DO NOTHING RETURNING id`;
const END_OUTAGE = `UPDATE alert SET resolved_at = ${at('$2')}, updated_at = ${at('$2')}
  WHERE organisation_id = $1 AND metric = 'ingest_outage' AND resolved_at IS NULL RETURNING id, incident_id`;

export async function openOutage(
  pool: Pool,
  outbox: AlertOutbox,
  outage: Parameters<Incidents['openOutage']>[0],
  now: number,
): Promise<boolean> {
  const { organisationId, silent, servers, title, message } = outage;
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(OPEN_INCIDENT, [
      `account:${organisationId}`,
      now,
      null,
      organisationId,
      null,
    ]);
    const incidentId = rows[0]?.id ?? '';
    const values = [organisationId, 'critical', title, message, silent, servers / 2, now, incidentId];
    const { rows: opened } = await client.query<{ id: string }>(OPEN_OUTAGE, values);
    const alertId = opened[0]?.id;
    if (alertId === undefined) return false;
    await refresh(client, [incidentId], now);
    await outbox.enqueueOpen(client, [alertId], now, 0);
    return true;
  });
}

export async function endOutage(
  pool: Pool,
  outbox: AlertOutbox,
  organisationId: OrganisationId,
  now: number,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query(LOCK_ROOT, [`account:${organisationId}`]);
    const { rows } = await client.query<{ id: string; incident_id: string | null }>(END_OUTAGE, [organisationId, now]);
    for (const { id, incident_id: incidentId } of rows) {
      await outbox.enqueueEnd(client, id, now);
      if (incidentId !== null) await refresh(client, [incidentId], now);
    }
    return rows.length > 0;
  });
}

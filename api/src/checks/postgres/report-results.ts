// SQL matches the results of a report with the checks that its server runs, on the connection that stores the report.
import type { PoolClient } from 'pg';
import type { CheckResultPart } from '@plimsoll/contract/wire/check-probes';
import type { OrganisationId } from '../../tenancy/ids.ts';
import { recordResults } from './results.ts';

/** A collector that was suspended may report later than this; a page shows no older result. */
const MOST_AGE_SECONDS = 7 * 86_400;

/** $1 organisation  $2 server  $3 ids. A server has a say only about the checks that it runs. */
const OWN = `SELECT c.id, c.key FROM check_definition c JOIN server s ON s.key = $2 AND s.organisation_id = $1
  WHERE c.organisation_id = $1 AND c.id = ANY($3::uuid[]) AND c.probe IS NOT NULL
    AND (s.id = ANY(c.server_ids) OR s.tags ? c.tag_key AND (c.tag_value IS NULL OR s.tags->>c.tag_key = c.tag_value))`;

/** Stores the results of the stored reports of one server; `at` in milliseconds. */
async function writeResults(
  client: PoolClient,
  from: { serverKey: number; organisationId: OrganisationId | null },
  reports: readonly { at: number; results: readonly CheckResultPart[] }[],
): Promise<void> {
  const { serverKey, organisationId } = from;
  if (organisationId === null) return;
  const ids = [...new Set(reports.flatMap(({ results }) => results.map(({ check_id: id }) => id)))];
  const { rows } = await client.query<{ id: string; key: number }>(OWN, [organisationId, serverKey, ids]);
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  for (const { at, results } of reports) {
    const own = results.flatMap(
      ({ check_id: id, check_rev: rev, age_seconds: age, answer: _answer, text_found: _found, ...result }) => {
        const checkKey = keys.get(id);
        if (checkKey === undefined || age > MOST_AGE_SECONDS) return [];
        return [{ ...result, checkKey, rev, at: at - age * 1000 }];
      },
    );
    const sorted = own.toSorted((a, b) => a.at - b.at);
    await recordResults(client, organisationId, { key: serverKey, at }, sorted);
  }
}

export const reportedResults = { write: writeResults };

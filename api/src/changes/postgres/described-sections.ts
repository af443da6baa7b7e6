// SQL compares the sections of a host's report with their stored states, in the transaction of the report.
import type { HostSectionPart } from '@plimsoll/contract/wire/described-object';
import type { PoolClient } from 'pg';
import { milliseconds, timestamp } from '../../database/time.ts';
import { compareStates, sectionTitle } from '../compare-states.ts';
import type { ChangeDraft } from '../types.ts';
import { insertChanges } from './insert-changes.ts';

/** The sections of one report; `at` is its sample time, epoch milliseconds. */
interface SectionReport {
  at: number;
  sections: readonly HostSectionPart[];
}
interface Known {
  form: number;
  sampleAt: number;
  entries: Record<string, string>;
}

/** One report of a server at a time: two of them must not compare with the same state. */
const LOCK = 'SELECT key, hostname FROM server WHERE key = $1 FOR NO KEY UPDATE';
const KNOWN = `SELECT form, ${milliseconds('sample_at')} AS "sampleAt", entries FROM described_section
  WHERE server_key = $1 AND section = $2`;
const SAVE = `INSERT INTO described_section (server_key, section, form, sample_at, entries)
  VALUES ($1, $2, $3, ${timestamp('$4')}, $5)
  ON CONFLICT (server_key, section) DO UPDATE SET form = excluded.form, sample_at = excluded.sample_at,
    entries = excluded.entries`;

/** Stores the sections, oldest report first, and an entry of the ledger for each that changed. */
async function writeSections(
  client: PoolClient,
  serverKey: number,
  reports: readonly SectionReport[],
  now: number,
): Promise<void> {
  const { rows } = await client.query<{ hostname: string }>(LOCK, [serverKey]);
  const [server] = rows;
  if (!server) return;
  const drafts: ChangeDraft[] = [];
  for (const { at, sections } of reports.toSorted((a, b) => a.at - b.at))
    for (const { section, form, entries } of sections) {
      const known = await client.query<Known>(KNOWN, [serverKey, section]);
      const [before] = known.rows;
      // A report that was late: a newer state is stored already.
      if (before && before.sampleAt > at) continue;
      const fields = before
        ? compareStates({ form: before.form, fields: before.entries }, { form, fields: entries })
        : [];
      if (fields.length > 0)
        drafts.push({
          at,
          source: 'host',
          action: 'changed',
          clusterKey: null,
          serverKey,
          kind: section,
          namespace: null,
          name: server.hostname,
          title: sectionTitle(section, fields),
          fields,
          changedBy: null,
        });
      await client.query(SAVE, [serverKey, section, form, at, JSON.stringify(entries)]);
    }
  await insertChanges(client, drafts, now);
}

export const describedSections = { write: writeSections };

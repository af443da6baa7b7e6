// SQL adds an entry in the transaction that writes the audit log.
import type { Database } from '../../database/database.ts';
import { timestamp } from '../../database/time.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { AuditAction } from '../../tenancy/types.ts';
import { auditedChange } from '../audited-change.ts';

const INSERT = `INSERT INTO change (at, seen_at, source, action, organisation_id, kind, name, title, changed_by)
  VALUES (${timestamp('$1')}, ${timestamp('$1')}, 'plimsoll', $2, $3, $4, $5, $6, $7)`;

export const createAuditedChanges = ({ pool }: Pick<Database, 'pool'>) => ({
  /** Adds what an audited action changed to the ledger; nothing for an action that changes nothing that is watched. */
  add: async (
    { organisationId, person, token }: Actor,
    audited: { action: AuditAction; detail: Readonly<Record<string, string>>; now: number },
  ): Promise<void> => {
    const change = auditedChange(audited.action, audited.detail);
    if (change === null) return;
    const { action, kind, name, title } = change;
    const by = person?.name ?? token?.name ?? null;
    await pool.query(INSERT, [audited.now, action, organisationId, kind, name, title, by]);
  },
});

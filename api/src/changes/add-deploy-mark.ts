import type { DeployMark } from '@plimsoll/contract/wire/changes';
import type { FieldChange } from '@plimsoll/contract/rules/changes';
import { redactText } from '@plimsoll/contract/redaction/text';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { requireServer } from '../servers/require-server.ts';
import type { Owner } from '../tenancy/owner.ts';

/** A pipeline that was stuck for a week still leaves its mark; clocks may be some minutes apart. */
const OLDEST_MS = 7 * 24 * 3_600_000;
const AHEAD_MS = 5 * 60_000;

const textOrNull = (text: string | undefined): string | null => (text === undefined ? null : redactText(text));

function versionChange(before: string | undefined, after: string | undefined): FieldChange[] {
  if (before === undefined && after === undefined) return [];
  const was = before === undefined ? 'set' : after === undefined ? 'removed' : 'changed';
  return [{ field: 'version', was, before: textOrNull(before), after: textOrNull(after), hidden: false }];
}

/**
 * Adds a deploy mark to the ledger; one whose key is known stays as it is. Throws `not_found` for a server or a cluster of
 * somebody else, and `invalid_parameter` for a time that is not near.
 */
export async function addDeployMark(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  owner: Owner,
  mark: DeployMark,
): Promise<{ id: string; created: boolean }> {
  const now = clock.now();
  const at = mark.at ?? now;
  if (at > now + AHEAD_MS || at < now - OLDEST_MS)
    throw new CodedError('invalid_parameter', 'at: must be of the last 7 days', {
      field: 'at',
      remedy: 'Omit it for now.',
    });
  const added = await storage.inTransaction(async ({ servers, changeLedger }) => {
    const found = mark.server_id === undefined ? null : await requireServer(servers, owner, mark.server_id);
    return changeLedger.addMark(
      owner,
      {
        at: Math.min(at, now),
        title: redactText(mark.title),
        key: mark.key ?? null,
        changedBy: textOrNull(mark.by),
        link: textOrNull(mark.link),
        fields: versionChange(mark.before, mark.after),
        serverKey: found?.server.key ?? null,
        clusterId: mark.cluster_id ?? null,
        namespace: mark.namespace ?? null,
        kind: mark.kind ?? null,
        name: mark.name ?? null,
      },
      now,
    );
  });
  if (added === null) throw new CodedError('not_found', 'cluster_id: no cluster of this id', { field: 'cluster_id' });
  if (added.isNew) changes.publish(owner.organisationId, { topic: 'activity', serverId: mark.server_id ?? null });
  return { id: added.id, created: added.isNew };
}

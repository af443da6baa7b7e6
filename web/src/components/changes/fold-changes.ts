import type { Change } from '@plimsoll/contract/wire/changes';
import { momentMs } from '../../time/age.ts';

/** A change, and the same one of other places at about the same time. */
export interface FoldedChange {
  change: Change;
  others: Change[];
}

/** An update of a fleet takes some minutes. */
const TOGETHER_MS = 15 * 60_000;

/** An object of another name is another thing, also where it changed alike; a host is one of many. */
const keyOf = ({ source, action, kind, namespace, name, title }: Change): string =>
  JSON.stringify([source, action, kind, namespace, source === 'host' ? null : name, title]);

/** Joins equal changes of several hosts or clusters, newest first as given. */
export function foldChanges(changes: readonly Change[]): FoldedChange[] {
  const open = new Map<string, FoldedChange>();
  const folded: FoldedChange[] = [];
  for (const change of changes) {
    const key = keyOf(change);
    const row = open.get(key);
    const isNear = row !== undefined && (momentMs(row.change.at) ?? 0) - (momentMs(change.at) ?? 0) < TOGETHER_MS;
    if (isNear) row.others.push(change);
    else {
      const next = { change, others: [] };
      open.set(key, next);
      folded.push(next);
    }
  }
  return folded;
}

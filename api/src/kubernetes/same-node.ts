import { OFFLINE_AFTER_INTERVALS } from '@plimsoll/contract/rules/limits';

/** A node as its cluster's collector and its own agent reported it. */
export interface RunningNode {
  /** Null: the collector did not report it. */
  bootId: string | null;
  /** Time of the last report of its agent, epoch ms; null: none. */
  heardAt: number | null;
}

/**
 * Returns true if an agent that enrols runs on another machine than the node of its name: the nodes of a copied cluster
 * have the names, and their agents the token, of the first one. They must not take over nodes that report. A node that
 * was restarted has another boot id, too, until the collector reports it, some seconds later.
 */
export function isAnotherNode(
  known: RunningNode,
  bootId: string,
  { now, reportIntervalSeconds }: { now: number; reportIntervalSeconds: number },
): boolean {
  if (known.bootId === null || known.heardAt === null || !BOOT_ID.test(bootId)) return false;
  const isSilent = now - known.heardAt > OFFLINE_AFTER_INTERVALS * reportIntervalSeconds * 1000;
  return !isSilent && known.bootId !== bootId;
}

/** /proc/sys/kernel/random/boot_id. An agent that cannot read it sends a word. */
const BOOT_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

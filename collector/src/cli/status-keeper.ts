import type { AgentPart } from '@plimsoll/contract/wire/report';
import type { AgentOptions } from '../agent.ts';
import type { Disk } from '../runtime/disk.ts';
import { orNull } from '../runtime/or-null.ts';
import type { Sender } from '../send/sender.ts';
import type { Spool } from '../send/spool.ts';
import { writeStatus } from '../send/status.ts';
import { VERSION } from '../version.ts';

/** Writes down what `plimsoll status` shows, once a collection and once more when its outcome is another. */
export function statusKeeper(
  disk: Disk,
  sender: Sender,
  spool: Spool,
  startedAt: number,
): Required<Pick<AgentOptions, 'onCollected' | 'onSent'>> {
  let collectedAt: number | null = null;
  let sources: AgentPart['sources'] = {};
  let written = '';
  const write = (): void => {
    const outcome = `${collectedAt} ${sender.acceptedAt} ${sender.lastError} ${sender.refusal?.reason ?? ''} ${sender.serverId} ${sender.sharesMachineIdWith.join()}`;
    if (outcome === written) return;
    written = outcome;
    // A full disk is no reason to stop; the spool has said so already.
    orNull(() =>
      writeStatus(disk, {
        version: VERSION,
        pid: process.pid,
        server_id: sender.serverId,
        interval_seconds: sender.intervalSeconds,
        started_at: startedAt,
        collected_at: collectedAt,
        accepted_at: sender.acceptedAt,
        pending: spool.entries.length,
        spool_bytes: spool.bytes,
        retries: sender.retries,
        last_error: sender.lastError,
        refused: sender.refusal,
        token_refused_since: sender.tokenRefusedSince,
        shares_machine_id_with: sender.sharesMachineIdWith,
        clock_skew_seconds: sender.clockSkewSeconds,
        sources,
      }),
    );
  };
  return {
    onCollected: (now, health) => {
      collectedAt = now.ts;
      sources = health;
    },
    onSent: write,
  };
}

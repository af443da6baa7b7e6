import { expect, it } from 'vitest';
import type { Sender } from '../send/sender.ts';
import type { Spool } from '../send/spool.ts';
import { readStatus } from '../send/status.ts';
import { memoryDisk } from '../testing/memory-disk.ts';
import { statusKeeper } from './status-keeper.ts';

function rig() {
  const disk = memoryDisk();
  const writes: string[] = [];
  const replace = disk.replace.bind(disk);
  disk.replace = (name, text) => {
    writes.push(name);
    replace(name, text);
  };
  const sender = {
    serverId: 's-1',
    intervalSeconds: 60,
    acceptedAt: null as number | null,
    lastError: null as string | null,
    refusal: null as Sender['refusal'],
    retries: 0,
    clockSkewSeconds: null,
    tokenRefusedSince: null,
    sharesMachineIdWith: [],
  };
  const spool = { entries: [], bytes: 0 };
  const keeper = statusKeeper(disk, sender as unknown as Sender, spool as unknown as Spool, 1000);
  return { disk, writes, sender, keeper };
}

it('writes once a collection, and again only when its outcome is another', () => {
  const { disk, writes, sender, keeper } = rig();
  keeper.onCollected({ ts: 1060, up: 60 }, { cpu: { ok: true, duration_ms: 1, error: null } });
  expect(writes).toHaveLength(0);
  keeper.onSent();
  keeper.onSent();
  expect(writes).toHaveLength(1);
  sender.lastError = 'timeout';
  keeper.onSent();
  expect(readStatus(disk)).toMatchObject({ last_error: 'timeout', collected_at: 1060, started_at: 1000 });
  sender.lastError = null;
  sender.acceptedAt = 1061;
  keeper.onSent();
  expect(writes).toHaveLength(3);
  expect(readStatus(disk)).toMatchObject({ accepted_at: 1061, sources: { cpu: { ok: true } } });
  sender.refusal = { since: 1062, reason: 'up: wrong' };
  keeper.onSent();
  expect(readStatus(disk)).toMatchObject({ refused: { since: 1062, reason: 'up: wrong' } });
});

it('goes on when the disk is full', () => {
  const { disk, sender, keeper } = rig();
  keeper.onSent();
  disk.fault.writes = true;
  sender.acceptedAt = 1061;
  expect(keeper.onSent).not.toThrow();
  expect(readStatus(disk)?.accepted_at).toBeNull();
});

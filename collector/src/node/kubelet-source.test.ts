import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kubeletSource, type KubeletSourceOptions } from './kubelet-source.ts';
import { KubeletError } from './kubelet.ts';
import type { Summary } from './summary.ts';

const captured = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/kubernetes/stats-summary.json'), 'utf8'),
) as Summary;
const source = (parts: Partial<KubeletSourceOptions> = {}) =>
  kubeletSource({
    nodeName: 'worker',
    mode: 'proc',
    tlsVerified: true,
    cores: 2,
    read: () => Promise.resolve(captured),
    serviceAccount: () => 'plimsoll-system:node-agent',
    ...parts,
  });

const failing = (why: Error) => (): Promise<Summary> => Promise.reject(why);

describe('kubeletSource', () => {
  it('gives pods, and the disk of the node so that its root need not be mounted', async () => {
    const { part } = await source().read({ ts: 100, up: 1 });
    expect(part.kubernetes).toMatchObject({ node_name: 'worker', mode: 'proc', kubelet: { state: 'ok', since: 100 } });
    expect(part.kubernetes?.pods.length).toBe(captured.pods?.length);
    const { fs } = captured.node ?? {};
    expect(part.filesystems).toMatchObject([{ mount: '/', size_bytes: fs?.capacityBytes, used_bytes: fs?.usedBytes }]);
    expect(part.cpu).toBeUndefined();
  });

  it('in mode kubelet stands in for the host’s CPU and memory, and leaves the rest unknown', async () => {
    const { part } = await source({ mode: 'kubelet' }).read({ ts: 100, up: 1 });
    expect(part.cpu?.percent).toBeCloseTo((0.099663871 / 2) * 100, 6);
    expect(part.cpu?.io_wait_percent).toBeNull();
    expect(part.memory?.used_bytes).toBe(582_082_560);
  });

  it('in mode kubelet gives the swap of the node, and none where the kubelet does not say', async () => {
    const withSwap = (swap: object) => ({ ...captured, node: { ...captured.node, swap } });
    const memoryOf = async (swap: object) =>
      (await source({ mode: 'kubelet', read: () => Promise.resolve(withSwap(swap)) }).read({ ts: 100, up: 1 })).part
        .memory;
    expect(await memoryOf({ swapAvailableBytes: 3000, swapUsageBytes: 1000 })).toMatchObject({
      swap_total_bytes: 4000,
      swap_used_bytes: 1000,
    });
    expect(await memoryOf({ swapUsageBytes: 1000 })).toMatchObject({ swap_total_bytes: 0, swap_used_bytes: 0 });
  });

  it.each([
    [new KubeletError('forbidden', 'forbidden: needs nodes/stats get'), 'forbidden'],
    [new KubeletError('unreachable', 'kubelet: ECONNREFUSED'), 'unreachable'],
    [new Error('surprise'), 'down'],
  ])('says why when it cannot read: %s', async (error, state) => {
    const { part, note } = await source({ read: failing(error) }).read({ ts: 100, up: 1 });
    expect(part).toEqual({
      kubernetes: expect.objectContaining({
        kubelet: {
          name: 'kubelet stats/summary',
          state,
          detail: error.message,
          since: 100,
          needs: 'get nodes/stats',
          service_account: 'plimsoll-system:node-agent',
        },
        node: null,
        pods: [],
        volumes: [],
      }),
    });
    expect(note).toBe(error.message);
  });

  it('keeps the time since when it is in a state', async () => {
    let fails = true;
    const ill = failing(new KubeletError('down', 'ill'));
    const read = () => (fails ? ill() : Promise.resolve(captured));
    const one = source({ read });
    const sinceAt = async (ts: number) => (await one.read({ ts, up: ts })).part.kubernetes?.kubelet.since;
    expect([await sinceAt(10), await sinceAt(20)]).toEqual([10, 10]);
    fails = false;
    expect([await sinceAt(30), await sinceAt(40)]).toEqual([30, 30]);
  });
});

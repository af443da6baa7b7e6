import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Summary, usageOf } from './summary.ts';

/** GET /stats/summary of a kubelet 1.34.4 on cgroup v1. */
const captured = (): Summary =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, '../../fixtures/kubernetes/stats-summary.json'), 'utf8'),
  ) as Summary;
const DNS = { name: 'metrics-server-6476769786-mr7fj', namespace: 'kube-system' };
const find = ({ usage }: ReturnType<typeof usageOf>) => usage.pods.find(({ name }) => name === DNS.name);

describe('usageOf', () => {
  it('reads node and pods of a captured summary', () => {
    const first = usageOf(captured(), new Map());
    expect(first.usage.pods.length).toBe(captured().pods?.length);
    expect(first.usage.node).toMatchObject({
      memory_working_set_bytes: 582_082_560,
      memory_available_bytes: 24_694_435_840,
      started_at: Date.parse('2026-11-20T21:50:15Z') / 1000,
    });
    expect(find(first)).toMatchObject({ ...DNS, memory_working_set_bytes: 21_504_000, ephemeral_bytes: 65_536 });
  });

  it('reads the containers of a pod, each with its own counter', () => {
    const before = captured();
    const first = usageOf(before, new Map());
    expect(find(first)?.containers).toEqual([
      {
        name: 'metrics-server',
        cpu_cores: expect.closeTo(0.0081, 2) as number,
        memory_working_set_bytes: expect.any(Number) as number,
      },
    ]);
    const after = captured();
    const container = after.pods?.find(({ podRef }) => podRef?.name === DNS.name)?.containers?.[0];
    const { time = '', usageCoreNanoSeconds: counted = 0 } = container?.cpu ?? {};
    const later = new Date(Date.parse(time) + 60_000).toISOString();
    Object.assign(container?.cpu ?? {}, { time: later, usageCoreNanoSeconds: counted + 30e9 });
    expect(find(usageOf(after, first.counters))?.containers?.[0]?.cpu_cores).toBeCloseTo(0.5, 6);
  });

  it('begins with the short mean of the kubelet, then takes the cumulative counter over its own clock', () => {
    const before = captured();
    const first = usageOf(before, new Map());
    expect(find(first)?.cpu_cores).toBeCloseTo(0.008191353, 9);
    expect(find(first)?.receive_bytes_per_second).toBeNull();
    const after = captured();
    const pod = after.pods?.find(({ podRef }) => podRef?.name === DNS.name);
    Object.assign(pod?.cpu ?? {}, { time: '2026-11-20T23:19:45Z', usageCoreNanoSeconds: 11_087_857_812 + 18e9 });
    Object.assign(pod?.network ?? {}, { time: '2026-11-20T23:19:42Z', rxBytes: 6_398_399 + 6000 });
    const second = usageOf(after, first.counters);
    expect(find(second)?.cpu_cores).toBeCloseTo(0.3, 9);
    expect(find(second)?.receive_bytes_per_second).toBeCloseTo(100, 9);
    expect(find(second)?.transmit_bytes_per_second).toBe(0);
  });

  it('a counter that went back (the pod sandbox is new) gives no rate', () => {
    const first = usageOf(captured(), new Map());
    const after = captured();
    const pod = after.pods?.find(({ podRef }) => podRef?.name === DNS.name);
    Object.assign(pod?.network ?? {}, { time: '2026-11-20T23:19:42Z', rxBytes: 5 });
    expect(find(usageOf(after, first.counters))?.receive_bytes_per_second).toBeNull();
  });

  it('pressure that is all zero since boot is not available', () => {
    expect(usageOf(captured(), new Map()).usage.node.stall).toBeNull();
    const pressed = captured();
    const psi = { some: { total: 5, avg60: 12.5 }, full: { total: 0, avg60: 0 } };
    if (pressed.node) Object.assign(pressed.node.memory ?? {}, { psi });
    const { stall } = usageOf(pressed, new Map()).usage.node;
    expect(stall?.memory).toEqual({ some_percent: 12.5, full_percent: 0 });
    expect(stall?.cpu).toEqual({ some_percent: 0, full_percent: 0 });
  });

  it('volumes are those of claims', () => {
    const summary = captured();
    const volume = {
      pvcRef: { name: 'data', namespace: 'shop' },
      usedBytes: 5,
      capacityBytes: 10,
      inodes: 7,
      inodesUsed: 1,
    };
    Object.assign(summary.pods?.[0] ?? {}, { volume: [volume, { usedBytes: 1, capacityBytes: 2 }] });
    expect(usageOf(summary, new Map()).usage.volumes).toEqual([
      { namespace: 'shop', claim: 'data', used_bytes: 5, capacity_bytes: 10, inodes_used: 1, inodes_total: 7 },
    ]);
  });

  it('an empty answer gives unknowns, not zeros', () => {
    const { usage } = usageOf({}, new Map());
    expect(usage.pods).toEqual([]);
    expect(Object.values(usage.node).every((value) => value === null)).toBe(true);
  });
});

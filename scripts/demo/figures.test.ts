import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterItem } from '@plimsoll/contract/wire/cluster-report';
import { reportItem } from '@plimsoll/contract/wire/report';
import { endsOf, listingAt } from './clusters.ts';
import { eventsOf } from './events.ts';
import { figuresAt } from './figures.ts';
import { CLUSTERS, FLEET, type DemoHost } from './fleet.ts';
import { reportAt } from './host-report.ts';
import { podsOf } from './pods.ts';
import { FILLING_HOST, LEAK_HOST, OFFLINE_HOST, SPIKE_HOST, storiesAt } from './stories.ts';

const NOW = Date.UTC(2026, 10, 23, 12) / 1000;
const DAY = 86_400;
const stories = storiesAt(NOW);
const named = (name: string) => FLEET.find((host) => host.name === name)!;
const at = (name: string, moment: number) => figuresAt(named(name), moment, stories);

describe('the fleet', () => {
  it('has 30 servers in 6 regions, 8 of them nodes of two clusters with 400 pods', () => {
    expect([FLEET.length, new Set(FLEET.map(({ name }) => name)).size]).toEqual([30, 30]);
    expect(new Set(FLEET.map(({ region }) => region)).size).toBe(6);
    expect(FLEET.filter(({ cluster }) => cluster !== null)).toHaveLength(8);
    const pods = CLUSTERS.flatMap((cluster) => podsOf(cluster, NOW, stories));
    expect([pods.length, new Set(pods.map(({ uid }) => uid)).size]).toEqual([400, 400]);
    expect(new Set(pods.map(({ name }) => name)).size).toBe(400);
  });

  it('is the same for the same moment, and within what a machine can have', () => {
    const moment = fc.integer({ min: NOW - 14 * DAY, max: NOW + DAY });
    fc.assert(
      fc.property(fc.constantFrom(...FLEET), moment, (host, when) => {
        const figures = figuresAt(host, when, stories);
        expect(figuresAt(host, when, stories)).toEqual(figures);
        if (figures === null) return host.name === OFFLINE_HOST;
        const { cpuPercent, ioWaitPercent, memoryPercent, diskPercent, ...rest } = figures;
        for (const share of [cpuPercent, ioWaitPercent, memoryPercent, diskPercent]) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(100);
        }
        return Object.values(rest).every((value) => Number.isFinite(value) && value >= 0);
      }),
    );
  });

  it('is busier by day than by night', () => {
    const mean = (hour: number): number => {
      const days = Array.from({ length: 10 }, (_, day) => Date.UTC(2026, 10, 10 + day, hour) / 1000);
      return days.reduce((sum, when) => sum + (at('web-fra-01', when)?.cpuPercent ?? 0), 0) / days.length;
    };
    expect(mean(12)).toBeGreaterThan(mean(2) + 15);
  });

  it('never runs processes that use more than their host has', () => {
    const moments = [
      NOW,
      stories.spikeAt + 300,
      stories.offlineSince,
      ...Array.from({ length: 48 }, (_, half) => NOW - half * 1800),
    ];
    const isOver = (host: DemoHost, moment: number): boolean => {
      const report = reportAt(host, moment, stories);
      const sum = (figure: 'cpu_percent' | 'memory_percent'): number =>
        (report?.processes ?? []).reduce((total, process) => total + (process[figure] ?? 0), 0);
      const { cpuPercent = 0, memoryPercent = 0 } = figuresAt(host, moment, stories) ?? {};
      return sum('cpu_percent') > cpuPercent * host.cores || sum('memory_percent') > memoryPercent;
    };
    const over = FLEET.filter((host) => moments.some((moment) => isOver(host, moment)));
    expect(over.map(({ name }) => name)).toEqual([]);
  });

  it('sends reports and listings that the contract accepts', () => {
    const reports = FLEET.map((host) => reportAt(host, NOW, stories));
    expect(FLEET.filter((_, index) => reports[index] === null).map(({ name }) => name)).toEqual([OFFLINE_HOST]);
    for (const report of reports.filter((one) => one !== null))
      expect(reportItem.safeParse({ seq: 1, ...report }).error).toBeUndefined();
    for (const cluster of CLUSTERS)
      expect(clusterItem.safeParse({ seq: 1, ...listingAt(cluster, NOW, NOW - DAY, stories) }).error).toBeUndefined();
  });
});

describe('the stories', () => {
  it('have a spike at 03:12, with the process that caused it', () => {
    expect(new Date(stories.spikeAt * 1000).toISOString()).toMatch(/T03:12:00/);
    expect(at(SPIKE_HOST, stories.spikeAt + 300)?.cpuPercent).toBeGreaterThan(90);
    expect(at(SPIKE_HOST, stories.spikeAt - 300)?.cpuPercent).toBeLessThan(60);
    const [first] = reportAt(named(SPIKE_HOST), stories.spikeAt + 300, stories)?.processes ?? [];
    expect(first?.command).toContain('reindex.py');
  });

  it('have a memory leak that crossed its line, a disk that fills and a host that is down', () => {
    expect(at(LEAK_HOST, NOW)?.memoryPercent).toBeGreaterThan(80);
    expect(at(LEAK_HOST, NOW - 2 * DAY)?.memoryPercent).toBeLessThan(65);
    expect(at(FILLING_HOST, NOW)?.diskPercent).toBeCloseTo(74, 0);
    expect(at(FILLING_HOST, NOW - 14 * DAY)?.diskPercent).toBeCloseTo(41, 0);
    expect([at(OFFLINE_HOST, NOW), at(OFFLINE_HOST, NOW - 42 * 60)]).toEqual([null, expect.any(Object)]);
  });

  it('have a host that fills its memory before it goes down, with the process that takes it', () => {
    const before = stories.offlineSince - 3600;
    expect(at(OFFLINE_HOST, before)?.memoryPercent).toBeLessThan(60);
    expect(at(OFFLINE_HOST, stories.offlineSince)?.memoryPercent).toBeCloseTo(98, 0);
    const host = named(OFFLINE_HOST);
    const processes = reportAt(host, stories.offlineSince, stories)?.processes ?? [];
    const [most] = processes.toSorted((a, b) => (b.memory_percent ?? 0) - (a.memory_percent ?? 0));
    expect(most?.command).toContain('warm-cache.py');
    const others = (moment: number) =>
      reportAt(host, moment, stories)?.processes?.flatMap(({ pid, name }) => (name === 'python3' ? [] : [pid]));
    expect(others(stories.offlineSince)).toEqual(others(before));
    const starts = eventsOf(host, stories).filter(({ event_type: type }) => type === 'service_start');
    expect(starts[0]).toMatchObject({ service_name: 'warm-cache' });
  });

  it('have a crash loop that begins with another image', () => {
    const images = (when: number) =>
      new Set(
        CLUSTERS.flatMap((cluster) => listingAt(cluster, when, when, stories).pods ?? [])
          .filter(({ owner }) => owner?.name === 'checkout')
          .map(({ containers }) => containers[0]?.image),
      );
    expect(images(stories.deployedAt - 60).size).toBe(1);
    expect(images(NOW).size).toBe(2);
    const ends = CLUSTERS.flatMap((cluster) => endsOf(cluster, { from: NOW - DAY, to: NOW }, stories));
    // A pod waits from the end of its container on: the alert about it freezes what its pods said then.
    const first = Math.min(...ends.map(({ at: ended }) => ended));
    const waiting = (when: number) =>
      CLUSTERS.flatMap((cluster) => listingAt(cluster, when, when, stories).pods ?? []).filter(
        ({ reason }) => reason === 'CrashLoopBackOff',
      ).length;
    expect([waiting(first - 1), waiting(first), waiting(NOW)]).toEqual([0, 1, 3]);
    expect(ends.length).toBeGreaterThan(100);
    expect(ends.every(({ at: ended }) => ended > stories.deployedAt && ended <= NOW)).toBe(true);
  });
});

import { POD_AGE_BUCKETS, POD_PHASES } from '@plimsoll/contract/rules/kubernetes-limits';
import { describe, expect, it } from 'vitest';
import { SAMPLE_POD as POD } from '../../testing/sample-pod.ts';
import {
  ageBucketText,
  boundsText,
  coresText,
  gapsOf,
  megabytesQuantity,
  memoryText,
  ownerText,
  phaseTone,
  podGroup,
  shortId,
  stateWords,
  sumMemoryText,
  whyText,
  zombieText,
} from './kubernetes-words.ts';

describe('words of the Kubernetes screens', () => {
  it('writes CPU to 3 places and memory to none', () => {
    expect(coresText(4.8119)).toBe('4.812');
    expect(memoryText(6210.4)).toBe('6,210 MB');
    expect(megabytesQuantity(6210.4)).toEqual({ value: '6,210', unit: 'MB' });
    expect(megabytesQuantity(20_000)).toEqual({ value: '19.5', unit: 'GB' });
    expect(megabytesQuantity(null)).toEqual({ value: null, unit: 'MB' });
    expect(coresText(null)).toBeNull();
  });
  it('names the five age buckets', () => {
    expect([...POD_AGE_BUCKETS, null].map(ageBucketText)).toEqual([
      'under 1 h',
      'under 1 d',
      'under 7 d',
      'under 30 d',
      'older',
    ]);
  });
  it('flags zombies only when there are some', () => {
    expect(zombieText(0)).toBeNull();
    expect(zombieText(1)).toContain('zombie pod');
    expect(zombieText(1200)).toBe('1,200 pods older than 30 d have no owner: possible zombie pods');
  });
  it('shortens a server id to 8 characters', () => {
    expect(shortId('a41f09c2-0000-4000-8000-000000000001')).toBe('a41f09c2');
  });
  it('gives every phase a tone', () => {
    expect(POD_PHASES.map(phaseTone)).toEqual(['ok', 'near', 'over', 'quiet', 'quiet']);
  });
  it('says limits and requests that are set', () => {
    expect(boundsText(2, 1, coresText)).toBe('limit 2.000, request 1.000');
    expect(boundsText(null, 20_480, memoryText)).toBe('request 20.0 GB');
    expect(boundsText(null, null, memoryText)).toBeNull();
  });
  it('names the owner', () => {
    expect(ownerText({ owner_kind: 'Deployment', owner_name: 'api' })).toBe('Deployment api');
    expect(ownerText({ owner_kind: null, owner_name: null })).toBeNull();
  });
});

describe('gapsOf', () => {
  const series = (values: (number | null)[]) =>
    values.map((avg, index) => ({ at: index * 60, avg, min: avg, max: avg }));
  it('marks stretches of missing buckets, not single ones', () => {
    expect(gapsOf(series([1, null, 2, null, null, null, 3]), 60).map(({ from, to }) => [from, to])).toEqual([
      [180, 360],
    ]);
  });
  it('leaves an open end to the hatch of staleness', () => {
    expect(gapsOf(series([1, 2, null, null]), 60)).toEqual([]);
  });
});

describe('the state of a pod', () => {
  const of = (parts: Partial<typeof POD>) => ({ ...POD, ...parts });
  it.each([
    ['well', {}],
    ['broken', { reason: 'CrashLoopBackOff' }],
    ['broken', { phase: 'Failed' as const }],
    ['broken', { phase: 'Unknown' as const }],
    ['waiting', { phase: 'Pending' as const, ready: false }],
    ['waiting', { ready: false }],
    ['waiting', { phase: 'Pending' as const, ready: false, reason: 'SchedulingGated' }],
    ['waiting', { deleting: true, reason: 'Error' }],
    ['finished', { phase: 'Succeeded' as const, ready: false }],
  ])('%s: %j', (group, parts) => {
    expect(podGroup(of(parts))).toBe(group);
  });
  it('says what the phase Running does not', () => {
    expect(stateWords(of({ deleting: true }))).toBe('Terminating');
    expect(stateWords(of({ ready: false }))).toBe('Not ready');
    expect(stateWords(of({ ready: false, phase: 'Pending' }))).toBeNull();
    expect(stateWords(POD)).toBeNull();
    const held = of({ phase: 'Pending', ready: false, reason: 'SchedulingGated' });
    expect([stateWords(held), whyText(held, null, 0)]).toEqual([
      'Held by a scheduling gate',
      'Held by a scheduling gate',
    ]);
  });
});

describe('why a pod is in trouble', () => {
  const NOW = Date.parse('2026-11-22T22:00:00');
  const CHANGED = Date.parse('2026-11-22T21:10:00');
  const [app] = POD.containers;
  if (app === undefined) throw new Error('the sample pod has a container');
  const ended = (reason: string, code: number) => ({ reason, message: null, exit_code: code, finished_at: null });
  const killed = {
    ...POD,
    reason: 'CrashLoopBackOff',
    restart_count: 14,
    restarts_24h: 14,
    containers: [{ ...app, last_termination: ended('OOMKilled', 137), limits: { cpu_cores: null, memory_mb: 512 } }],
  };
  it('names reason, cause, restarts and the change of the image', () => {
    expect(whyText(killed, CHANGED, NOW)).toBe(
      'CrashLoopBackOff: OOMKilled at 512 MB, 14 restarts, image changed 21:10',
    );
  });
  it('names the exit code where nothing was killed', () => {
    const containers = [{ ...app, exit: ended('Error', 1) }];
    expect(whyText({ ...POD, phase: 'Failed', containers }, null, NOW)).toBe('Failed: Error, exit code 1');
  });
  it('has the date of a change that is not of today', () => {
    expect(whyText(killed, CHANGED - 5 * 86_400_000, NOW)).toMatch(/image changed .*17.*21:10/);
  });
  it('is nothing for a pod that is well or finished', () => {
    expect(whyText(POD, CHANGED, NOW)).toBeNull();
    expect(whyText({ ...POD, phase: 'Succeeded', ready: false }, null, NOW)).toBeNull();
  });
  it('is the reason alone where nothing else is known', () => {
    expect(whyText({ ...POD, reason: 'ImagePullBackOff' }, null, NOW)).toBe('ImagePullBackOff');
    expect(whyText({ ...POD, ready: false }, null, NOW)).toBe('Not ready');
  });
});

describe('the unit of memory', () => {
  it('changes where megabytes would have five digits, and for sums from a gigabyte on', () => {
    expect([9999, 9999.4, 10_000].map(memoryText)).toEqual(['9,999 MB', '9,999 MB', '9.8 GB']);
    expect([1023, 1024, 1536].map(sumMemoryText)).toEqual(['1,023 MB', '1.0 GB', '1.5 GB']);
    expect([memoryText(null), sumMemoryText(null)]).toEqual([null, null]);
    expect([memoryText(0), sumMemoryText(0)]).toEqual(['0 MB', '0 MB']);
  });
});

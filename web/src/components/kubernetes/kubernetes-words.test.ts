import { POD_AGE_BUCKETS, POD_PHASES } from '@plimsoll/contract/rules/kubernetes-limits';
import { describe, expect, it } from 'vitest';
import {
  ageBucketText,
  boundsText,
  coresText,
  gapsOf,
  megabytesText,
  ownerText,
  phaseTone,
  shortId,
  zombieText,
} from './kubernetes-words.ts';

describe('words of the Kubernetes screens', () => {
  it('writes CPU to 3 places and memory to none', () => {
    expect(coresText(4.8119)).toBe('4.812');
    expect(megabytesText(6210.4)).toBe('6,210');
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
    expect(boundsText(2, 1, 3)).toBe('of 2.000, request 1.000');
    expect(boundsText(null, 1024, 0)).toBe('request 1,024');
    expect(boundsText(null, null, 0)).toBeNull();
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

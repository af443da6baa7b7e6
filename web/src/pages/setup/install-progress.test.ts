import { describe, expect, it } from 'vitest';
import { progressAt, stageTimes } from './install-progress.ts';

const server = { target: 'linux', prometheus: true } as const;
const cluster = { target: 'kubernetes', prometheus: false } as const;
const withPrometheus = { target: 'kubernetes', prometheus: true } as const;
const s = 1000;

describe('install progress', () => {
  it('begins with nothing', () => {
    expect(progressAt(server, null)).toEqual({ percent: 0, stage: 'installing' });
  });
  it('takes a server 60 s, in one stage', () => {
    expect(progressAt(server, 30 * s)).toEqual({ percent: 50, stage: 'installing' });
    expect(progressAt(server, 59.9 * s).stage).toBe('installing');
    expect(progressAt(server, 60 * s)).toEqual({ percent: 100, stage: 'ready' });
  });
  it.each([
    [cluster, [19.9, 20, 39.9, 40, 59.9, 60]],
    [withPrometheus, [19.9, 20, 49.9, 50, 89.9, 90]],
  ])('takes a cluster through four stages, %o', (plan, seconds) => {
    expect(seconds.map((each) => progressAt(plan, each * s).stage)).toEqual([
      'installing',
      'starting',
      'starting',
      'connecting',
      'connecting',
      'ready',
    ]);
  });
  it('never passes 100 per cent', () => {
    expect(progressAt(withPrometheus, 1e9).percent).toBe(100);
    expect(progressAt(server, -5).percent).toBe(0);
  });
  it('names the stages a server goes through', () => {
    expect(stageTimes({ target: 'macos', prometheus: false }).map(({ stage }) => stage)).toEqual([
      'installing',
      'ready',
    ]);
  });
});

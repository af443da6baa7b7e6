import { describe, expect, test } from 'vitest';
import { type Incumbent, judgeTurn, type Rival } from './rival.ts';

const NOW = 1_790_000_000_000;
const ago = (seconds: number): number => NOW - seconds * 1000;
const ONE = ['10.0.0.5:6443'];
const TWO = ['10.0.9.5:6443'];
const known = (more: Partial<Incumbent> = {}): Incumbent => ({
  addresses: ONE,
  lastSeenAt: ago(10),
  rival: null,
  ...more,
});
const rival = (more: Partial<Rival> = {}): Rival => ({
  addresses: TWO,
  version: '1',
  firstAt: ago(60),
  lastAt: ago(10),
  refusedAt: null,
  ...more,
});
const judge = (incumbent: Incumbent, addresses: string[]) => judgeTurn(incumbent, { addresses, version: '1' }, NOW);

describe('a collector for a cluster that reports', () => {
  test('is its own by one common address, and where either side has none', () => {
    expect(judge(known(), [...TWO, ...ONE])).toEqual({ state: 'own', rival: null });
    expect(judge(known(), [])).toEqual({ state: 'own', rival: null });
    expect(judge(known({ addresses: [] }), TWO)).toEqual({ state: 'own', rival: null });
  });

  test('waits at another address for two minutes, and is refused after that', () => {
    const first = { ...rival(), firstAt: NOW, lastAt: NOW };
    expect(judge(known(), TWO)).toEqual({ state: 'wait', rival: first });
    expect(judge(known({ rival: rival({ firstAt: ago(120) }) }), TWO).state).toBe('wait');
    const refused = judge(known({ rival: rival({ firstAt: ago(120) - 1 }) }), TWO);
    expect(refused).toMatchObject({ state: 'refused', rival: { refusedAt: NOW, lastAt: NOW } });
    const again = judge(known({ rival: rival({ firstAt: ago(900), refusedAt: ago(700) }) }), TWO);
    expect(again).toMatchObject({ state: 'refused', rival: { refusedAt: ago(700) } });
  });

  test('begins its two minutes anew after it stayed away, and at a third address', () => {
    const old = rival({ firstAt: ago(3600), lastAt: ago(301), refusedAt: ago(3000) });
    expect(judge(known({ rival: old }), TWO)).toMatchObject({ state: 'wait', rival: { firstAt: NOW } });
    const third = judge(known({ rival: rival({ firstAt: ago(3600) }) }), ['10.0.7.7:6443']);
    expect(third).toMatchObject({ state: 'wait', rival: { firstAt: NOW, addresses: ['10.0.7.7:6443'] } });
  });

  test('takes over a cluster that fell silent: at once if it moved, later if it was refused', () => {
    expect(judge(known({ lastSeenAt: ago(120) }), TWO).state).toBe('wait');
    expect(judge(known({ lastSeenAt: ago(120) - 1 }), TWO)).toEqual({ state: 'moved', rival: null });
    const refused = rival({ firstAt: ago(900), refusedAt: ago(700) });
    expect(judge(known({ lastSeenAt: ago(600), rival: refused }), TWO).state).toBe('refused');
    expect(judge(known({ lastSeenAt: ago(600) - 1, rival: refused }), TWO).state).toBe('moved');
  });

  test('of the cluster itself keeps a rival that is fresh', () => {
    expect(judge(known({ rival: rival() }), ONE).rival).toEqual(rival());
    expect(judge(known({ rival: rival({ lastAt: ago(301) }) }), ONE).rival).toBeNull();
  });
});

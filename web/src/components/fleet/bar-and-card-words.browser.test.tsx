import { headroomOf } from '@plimsoll/contract/rules/headroom';
import * as fc from 'fast-check';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { sampleServer } from '../../testing/sample-server.ts';
import { attributes, drawnMarkup, wordsOf } from '../../testing/drawn-markup.tsx';
import { CapacityBar } from './capacity-bar.tsx';
import { FleetCard } from './fleet-card.tsx';
import { HealthChip } from '../kubernetes/health-chip.tsx';
import { PhaseChip } from '../kubernetes/phase-chip.tsx';
import { UsageCell } from '../kubernetes/usage.tsx';
import { StatTile } from '../stat-tile.tsx';

type BarProps = Parameters<typeof CapacityBar>[0];
const bar = (props: Omit<BarProps, 'name'>) => drawnMarkup(createElement(CapacityBar, { name: 'CPU', ...props }));
const only = (markup: string, name: string) => attributes(markup, name)[0];

describe('a capacity bar', () => {
  it.each([
    [59.9, 'ok', 'CPU 60 %, 20 below the line'],
    [60, 'near', 'CPU 60 %, 20 below the line'],
    [79.9, 'near', 'CPU 80 %, 0.1 below the line'],
    [80, 'over', 'CPU 80 %, at the line'],
    [91, 'over', 'CPU 91 %, 11 over the line'],
  ])('at %d is %s: %s', (value, band, label) => {
    const markup = bar({ value, line: 80 });
    expect([only(markup, 'role'), only(markup, 'data-band'), only(markup, 'aria-label')]).toEqual([
      'meter',
      band,
      label,
    ]);
  });

  it('moves its bands with its line', () => {
    expect([64, 65, 84, 85].map((value) => only(bar({ value, line: 85 }), 'data-band'))).toEqual([
      'ok',
      'near',
      'near',
      'over',
    ]);
  });

  it('is no meter when nothing is known, and never empty for it', () => {
    const markup = bar({ value: null, line: 80 });
    expect([only(markup, 'role'), only(markup, 'aria-label')]).toEqual(['img', 'CPU not available']);
    expect(markup).not.toContain('aria-valuenow');
  });

  it('is grey when it is old, whatever its size', () => {
    expect([10, 79, 99].map((value) => only(bar({ value, line: 80, stale: true }), 'data-band'))).toEqual([
      'stale',
      'stale',
      'stale',
    ]);
  });

  it('marks the critical line once it is reached', () => {
    const critical = (value: number) => bar({ value, line: 80, critical: 95 }).includes('data-critical');
    expect([94.9, 95, 100].map(critical)).toEqual([false, true, true]);
    expect(bar({ value: 50, line: 80 })).not.toContain('class="critical"');
  });

  it('stays on its scale whatever is reported', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -50, max: 1e6, noNaN: true }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 200 }),
        (value, line, max) => {
          const markup = bar({ value, line, max });
          const shares = [...(only(markup, 'style') ?? '').matchAll(/--[vlc]: ?([\d.e-]+)/g)].map(([, share]) =>
            Number(share),
          );
          expect(shares).toHaveLength(3);
          expect(shares.every((share) => share >= 0 && share <= 100)).toBe(true);
          expect(Number(only(markup, 'aria-valuenow'))).toBeLessThanOrEqual(max);
        },
      ),
    );
  });
});

describe('the card of a server', () => {
  const metric = (value: number | null) => ({ value, reason: null });
  const latest = (cpu: number | null, memory: number | null, disk: number | null) =>
    ({
      server_id: 's',
      metrics: { cpu_usage: metric(cpu), memory_usage: metric(memory), disk_usage: metric(disk) },
    }) as Parameters<typeof FleetCard>[0]['latest'];
  const { lines } = sampleServer();
  const card = (given: Parameters<typeof sampleServer>[0], figures = latest(91, 40, 20)) =>
    drawnMarkup(createElement(FleetCard, { server: sampleServer(given), latest: figures }));

  it('tells name, status, system, place, sizes, three bars and the headroom', () => {
    const headroom = headroomOf(lines, { cpu: 91, memory: 40, disk: 20 });
    expect(wordsOf(card({ headroom, hostname: 'web-1' }))).toBe(
      'web-1 Active Debian 12 · amd64 eu-west-2 8 cores · 32 GB · 4 TB CPU 91 % Memory 40 % Disk 20 % CPU · 11 over',
    );
  });

  it('says N/A for the one figure that is missing and keeps the others', () => {
    expect(wordsOf(card({}, latest(null, 40, 0)))).toMatch(/CPU N\/A Memory 40 % Disk 0 %/);
  });

  it('shows a silent server grey and by its last report', () => {
    const markup = card({ status: 'offline', last_seen_at: new Date(Date.now() - 3 * 3_600_000).toISOString() });
    expect(attributes(markup, 'data-band')).not.toContain('over');
    expect(wordsOf(markup)).toMatch(/Offline .*Last report 3 h ago$/);
  });

  it('waits for a first report instead of showing empty bars', () => {
    const words = wordsOf(card({ status: 'installing', last_seen_at: null }, undefined));
    expect(words).toContain('Waiting for the first report');
    expect(words).toContain('Reports come every 60 s');
    expect(words).not.toContain('%');
  });

  it('keeps what an uninstalled server was, without figures', () => {
    const words = wordsOf(
      card({ status: 'uninstalled', last_seen_at: new Date(Date.now() - 86_400_000 * 3).toISOString() }),
    );
    expect(words).toContain('Agent removed 3 d ago');
    expect(words).toMatch(/Reinstall$/);
    expect(words).not.toContain('%');
  });

  it('calls a server by the name a person gave it', () => {
    expect(wordsOf(card({ display_name: 'Primary database' }))).toMatch(/^Primary database Active/);
  });
});

describe('a tile', () => {
  it('gives the reason where the figure is missing, else the fact', () => {
    const tile = (value: string | null) =>
      wordsOf(
        drawnMarkup(createElement(StatTile, { label: 'IO Wait', value, unit: '%', reason: 'macOS', fact: 'line 10' })),
      );
    expect(tile(null)).toBe('IO Wait N/A macOS');
    expect(tile('0.0')).toBe('IO Wait 0.0 % line 10');
  });
});

describe('words of a cluster', () => {
  it('stands a worse reason beside the phase, not instead', () => {
    const markup = drawnMarkup(createElement(PhaseChip, { phase: 'Running', reason: 'CrashLoopBackOff' }));
    expect(wordsOf(markup)).toBe('Running CrashLoopBackOff');
  });
  it.each(['Healthy', 'Warning', 'Critical'] as const)('gives the causes of %s on hover', (health) => {
    const markup = drawnMarkup(createElement(HealthChip, { health, reasons: '1 node not ready: n1.' }));
    expect([wordsOf(markup), only(markup, 'title')]).toEqual([health, '1 node not ready: n1.']);
    expect(markup).toContain('<svg');
  });
  it('says why a figure is N/A, also to a screen reader', () => {
    const origin = { source: null, age_seconds: null, reason: 'no node agent' };
    const markup = drawnMarkup(createElement(UsageCell, { name: 'Disk', percent: null, origin }));
    expect(attributes(markup, 'aria-label')).toContain('N/A: no node agent');
    expect(wordsOf(markup)).toBe('N/A');
  });
});

import type { Container } from '@plimsoll/contract/wire/containers';
import { describe, expect, it } from 'vitest';
import { partStateWords } from '../../format/container-words.ts';
import { isLate, nameOf, noFigureReason, noHeadroomReason, restartsOf, stateWords } from './container-words.ts';
import { containersTable } from './containers-export.ts';

const of = (given: Partial<Container>): Container => ({
  server_id: '00000000-0000-4000-8000-000000000001',
  hostname: 'web-01',
  server_status: 'active',
  id: '3f2a9c',
  name: 'shop',
  image: 'shop:1.9',
  runtime: 'docker',
  project: null,
  state: 'running',
  is_broken: false,
  since: null,
  exit_code: null,
  oom_killed: false,
  oom_kills: null,
  restarts: null,
  restarts_last_hour: 0,
  cpu_cores: 0.5,
  memory_bytes: 1024,
  memory_limit_bytes: 2048,
  memory_percent: 50,
  memory_line: 80,
  is_hidden: false,
  sampled_at: '2026-11-20T12:00:00.000Z',
  cpu_history: null,
  ...given,
});

describe('the state of a container', () => {
  it('is old on every host that does not report, not only on one that is offline', () => {
    const statuses = ['active', 'offline', 'refused', 'installing', 'uninstalled'] as const;
    expect(statuses.filter((status) => isLate(of({ server_status: status })))).toEqual(statuses.slice(1));
    expect(stateWords(of({ state: 'running', server_status: 'refused' }))).toBe('Late');
    expect(stateWords(of({ state: 'running' }))).toBe('Running');
  });

  it('names why it ended: memory before the exit code, and no code that is not known', () => {
    expect(stateWords(of({ state: 'exited', exit_code: 137, oom_killed: true }))).toBe('OOM-killed');
    expect(stateWords(of({ state: 'exited', exit_code: 137 }))).toBe('Exited 137');
    expect(stateWords(of({ state: 'exited', exit_code: 0 }))).toBe('Exited 0');
    expect(stateWords(of({ state: 'exited', exit_code: null }))).toBe('Exited');
    expect(stateWords(of({ state: null }))).toBe('Not known');
  });

  it('of one that runs again is not that of its last end', () => {
    expect(partStateWords({ state: 'running', exit_code: 1, oom_killed: true })).toBe('Running');
  });
});

describe('why a figure is missing', () => {
  it.each(['exited', 'created', 'dead'] as const)('a container that is %s does not run', (state) => {
    const stopped = of({ state, memory_bytes: null, memory_limit_bytes: null });
    expect([noHeadroomReason(stopped), noFigureReason(stopped)]).toEqual(['not running', 'not running']);
  });

  it('unknown memory is named before a missing limit: the limit alone would give no headroom', () => {
    expect(noHeadroomReason(of({ memory_bytes: null, memory_limit_bytes: null }))).toBe('memory not known');
    expect(noHeadroomReason(of({ memory_bytes: 1, memory_limit_bytes: null }))).toBe('no limit set');
    expect(noHeadroomReason(of({ memory_bytes: 0, memory_limit_bytes: 1024 }))).toBeNull();
    expect(noFigureReason(of({ state: 'paused' }))).toBe('not reported');
    expect(noFigureReason(of({ state: null }))).toBe('not reported');
  });
});

it('counts restarts by the runtime, and says so where only the last hour is known', () => {
  expect(restartsOf(of({ restarts: 0, restarts_last_hour: 0 }))).toEqual({
    count: 0,
    title: 'Counted by the runtime, 0 of them seen in the last hour',
  });
  expect(restartsOf(of({ restarts: 9, restarts_last_hour: 2 })).count).toBe(9);
  expect(restartsOf(of({ restarts: null, restarts_last_hour: 2 }))).toEqual({
    count: 2,
    title: 'Seen in the last hour. The count of the runtime needs its socket',
  });
});

it('has a name, or the id of the runtime', () => {
  expect([nameOf(of({ name: 'web' })), nameOf(of({ name: null, id: '3f2a' }))]).toEqual(['web', '3f2a']);
});

describe('the export', () => {
  const cell = (container: Container, column: string) => {
    const { columns, rows } = containersTable([container]);
    return rows[0]?.[columns.indexOf(column)];
  };

  it('has a column for each value, and writes what is not known as empty, never as nought', () => {
    const { columns, rows } = containersTable([of({}), of({ id: 'other' })]);
    expect(rows.map((row) => row.length)).toEqual([columns.length, columns.length]);
    const unknown = of({ cpu_cores: null, memory_percent: null, restarts: null });
    expect(['cpu_cores', 'memory_percent', 'restarts'].map((column) => cell(unknown, column))).toEqual([
      null,
      null,
      null,
    ]);
    expect(cell(of({ cpu_cores: 0 }), 'cpu_cores')).toBe(0);
  });

  it('tells true from false', () => {
    expect(cell(of({ oom_killed: true }), 'oom_killed')).toBe('true');
    expect(cell(of({ oom_killed: false }), 'oom_killed')).toBe('false');
  });
});

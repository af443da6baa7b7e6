import type { Process } from '@plimsoll/contract/wire/processes';
import { expect, it } from 'vitest';
import { processesTable } from './processes-export.ts';

it('has a row per process with the names of the API', () => {
  const process = { hostname: 'web-01', pid: 7, name: 'nginx', cpu_usage: 120, threads: null } as Process;
  const { columns, rows } = processesTable([process]);
  expect(columns.slice(0, 3)).toEqual(['hostname', 'pid', 'name']);
  expect(rows[0]?.[columns.indexOf('cpu_usage')]).toBe(120);
});

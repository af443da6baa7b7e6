import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, double, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { ACCOUNT_METRICS } from './account-metrics.ts';
import { Exposition } from './exposition.ts';

const DOCS = join(import.meta.dirname, '../../../docs/metrics.md');

test('docs/metrics.md describes every metric of GET /api/metrics as it is declared', () => {
  const rows = readFileSync(DOCS, 'utf8')
    .split('\n')
    .filter((line) => /^\| `plimsoll_(server|kubernetes)_/.test(line));
  const expected = ACCOUNT_METRICS.map(({ name, labels, help }) => {
    const own = labels.filter((label) => !['server', 'server_id', 'region', 'tags'].includes(label));
    return `| \`${name}\` | ${own.map((label) => `\`${label}\``).join(', ') || '–'} | ${help} |`;
  });
  expect(rows).toEqual(expected);
});

test('every sample is one line, whatever text a label holds', () => {
  const family = { name: 'plimsoll_server_up', help: 'Up.' };
  assert(
    property(string({ unit: 'binary' }), double({ noNaN: true, noDefaultInfinity: true }), (text, value) => {
      const out = new Exposition();
      out.add(family, { server: text }, value);
      const [help, type, sample, end, ...more] = out.toString().split('\n');
      expect([help, type, end, more]).toEqual([
        '# HELP plimsoll_server_up Up.',
        '# TYPE plimsoll_server_up gauge',
        '',
        [],
      ]);
      expect(sample).toMatch(/^plimsoll_server_up(?:\{server="(?:[^"\\\n]|\\[\\"n])*"\})? \S+$/);
    }),
  );
});

test('an unknown value is absent', () => {
  const out = new Exposition();
  for (const value of [null, undefined, Number.NaN, Infinity]) out.add({ name: 'a', help: 'A.' }, {}, value);
  expect(out.toString()).toBe('');
});

import { agentConfigAnswer, collectorCheck } from '@plimsoll/contract/wire/check-probes';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readConfig } from './read-config.ts';

const id = '0b0e7a52-3f3c-4a63-9d51-7f0a4a6a0c01';
const http = {
  kind: 'http',
  timeout_ms: 10_000,
  ip_version: 'any',
  url: 'https://example.com/health',
  method: 'GET',
  headers: { accept: 'text/plain' },
  body: null,
  statuses: [[200, 299]],
  expect: { kind: 'json', path: 'status', value: 'ok', isPresent: true },
  follow_redirects: true,
  ignore_certificate: false,
};
const every = { timeout_ms: 1000, ip_version: '4', host: 'example.com' };
const probes = [
  http,
  { kind: 'tcp', ...every, port: 22, expect: 'SSH' },
  { kind: 'dns', ...every, record_type: 'MX', expect: ['10 mail.example.com'] },
  { kind: 'tls', ...every, port: 443 },
];
const answer = (checks: unknown[]) => ({ success: true, data: { config_rev: 7, checks } });
const checkOf = (probe: unknown, more: object = {}) => ({
  check_id: id,
  check_rev: 1,
  interval_seconds: 60,
  probe,
  ...more,
});

test.each(probes)('reads what the schema allows: $kind', (probe) => {
  const check = checkOf(probe);
  const read = readConfig(answer([check]));
  expect(read).toEqual({ rev: 7, checks: [check], leftOut: 0 });
  expect(agentConfigAnswer.parse({ config_rev: 7, checks: [check] }).checks).toEqual(read?.checks);
});

test.each([
  ['an interval below the least', checkOf(http, { interval_seconds: 1 })],
  ['a program', checkOf({ kind: 'exec', command: 'id', timeout_ms: 1000, ip_version: 'any' })],
  ['a timeout without end', checkOf({ ...http, timeout_ms: 1e9 })],
  ['an id that is none', checkOf(http, { check_id: '../../etc' })],
  ['headers that are no texts', checkOf({ ...http, headers: { a: { b: 1 } } })],
  ['a port out of range', checkOf({ ...probes[1], port: 70_000 })],
])('leaves out %s', (_name, check) => {
  expect(readConfig(answer([check]))).toMatchObject({ checks: [], leftOut: 1 });
});

test('of two with one id the first counts, and at most 200', () => {
  expect(readConfig(answer([checkOf(http), checkOf(http)]))).toMatchObject({ leftOut: 1 });
  const many = Array.from({ length: 300 }, (_, index) =>
    checkOf(http, { check_id: `0b0e7a52-3f3c-4a63-9d51-${String(index).padStart(12, '0')}` }),
  );
  expect(readConfig(answer(many))?.checks).toHaveLength(200);
});

test.each([[null], ['x'], [{}], [{ data: { config_rev: 1 } }], [{ data: { config_rev: -1, checks: [] } }]])(
  '%j is no configuration',
  (body) => {
    expect(readConfig(body)).toBeNull();
  },
);

test('whatever comes, each check that is read is one of the schema', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(-1, 1e300, NaN, '', 'x'.repeat(5000), 'http', [], {}),
  );
  const broken = fc
    .record({ probe: fc.constantFrom(...probes), field: fc.string(), value })
    .chain(({ probe, value: put }) =>
      fc.constantFrom(...Object.keys(probe)).map((field) => checkOf({ ...probe, [field]: put })),
    );
  fc.assert(
    fc.property(fc.array(fc.oneof(broken, value)), (checks) => {
      for (const check of readConfig(answer(checks))?.checks ?? [])
        expect(collectorCheck.safeParse(check).success).toBe(true);
    }),
  );
});

import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { isPlainJson, protectPrivacy, sanitizeText, sanitizeTree } from './sanitize.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 800 });
const surrogates = fc.array(fc.constantFrom('\ud800', '\udc00', '\0', '\u001b', 'ä', '😀', 'x')).map((c) => c.join(''));

test('whatever comes in, what is stored is well-formed, free of control characters and at most 512 bytes', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, surrogates), (text) => {
      const clean = sanitizeText(text);
      expect(clean.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(512);
      expect(clean).not.toMatch(/\p{Cc}/u);
      expect(sanitizeText(clean)).toBe(clean);
    }),
  );
});

test('a harmless text stays as it is', () => {
  expect(sanitizeText('/srv/Ünïcode 😀')).toBe('/srv/Ünïcode 😀');
});

test('the cut never splits a character', () => {
  expect(sanitizeText('😀'.repeat(200))).toBe('😀'.repeat(128));
});

test('a tree keeps its shape; keys are cleaned and __proto__ is dropped', () => {
  const hostile: unknown = JSON.parse('{"a\\u0000":["\\ud800",1,null,true],"__proto__":{"polluted":1}}');
  expect(sanitizeTree(hostile)).toEqual({ 'a ': ['\uFFFD', 1, null, true] });
  expect({}).not.toHaveProperty('polluted');
});

test('1e400 is not a number any more: it becomes null and the schema judges it', () => {
  expect(sanitizeTree(JSON.parse('[1e400]'))).toEqual([null]);
});

test('what is told from the bytes of a document is told from its texts, too', () => {
  const text = fc.oneof(fc.string({ maxLength: 600 }), fc.constantFrom('__proto__', 'ä', '\u007f', '\0', '\ud800'));
  const tree = fc.letrec((tie) => ({
    any: fc.oneof(text, fc.double(), fc.constant(null), fc.array(tie('any')), fc.dictionary(text, tie('any'))),
  })).any;
  fc.assert(
    fc.property(tree, fc.boolean(), (value, overflows) => {
      const json = JSON.stringify([value, 0]).replace(/0\]$/, overflows ? '1e400]' : '0]');
      const isPlain = isPlainJson(Buffer.from(json));
      expect(isPlain).toBe(/^[ -[\]-~]*$/.test(json));
      const parsed = JSON.parse(json) as unknown;
      expect(sanitizeTree(parsed, isPlain)).toEqual(sanitizeTree(parsed));
    }),
  );
});

test('addresses are masked and command lines redacted', () => {
  const report = protectPrivacy({
    seq: 1,
    ts: 0,
    up: 0,
    kind: 'host',
    window_seconds: null,
    connections: [
      {
        remote_ip: '203.0.113.77',
        remote_port: 1,
        local_port: 2,
        protocol: 'tcp',
        family: 'ipv4',
        state: 'LISTEN',
        pid: -1,
        importance_score: 0,
      },
    ],
    processes: [
      {
        pid: 1,
        name: 'mysql',
        command: 'mysql -pSecret1 db',
        user: 'u',
        status: 'S',
        cpu_percent: 0,
        memory_percent: 0,
        memory_bytes: 0,
        threads: 1,
        started_at: 0,
      },
    ],
  });
  expect(report.connections?.[0]?.remote_ip).toBe('203.0.113.0');
  expect(report.processes?.[0]?.command).not.toContain('Secret1');
});

test('a tree that is safe comes back as it is; one bad leaf costs its neighbours nothing', () => {
  const safe = JSON.parse('{"a":[{"name":"x","n":1}],"b":null}') as unknown;
  expect(sanitizeTree(safe)).toBe(safe);
  const mixed = { list: [{ name: 'fine' }, { name: 'NUL \0' }, { 'k\0': 'fine' }] };
  expect(sanitizeTree(mixed)).toEqual({ list: [{ name: 'fine' }, { name: 'NUL  ' }, { 'k ': 'fine' }] });
  expect(mixed.list[1]).toEqual({ name: 'NUL \0' });
});

test('whatever was seen before, an address that is not masked is masked each time', () => {
  const connection = {
    remote_port: 1,
    local_port: 2,
    protocol: 'tcp',
    family: 'ipv4',
    state: 'LISTEN',
    pid: -1,
  } as const;
  const addresses = ['203.0.113.0', '203.0.113.77', '203.0.113.0', '203.0.113.77', '2001:db8:1:2:3:4:5:6'];
  const { connections } = protectPrivacy({
    seq: 1,
    ts: 0,
    up: 0,
    kind: 'host',
    window_seconds: null,
    connections: addresses.map((remote_ip) => ({ ...connection, remote_ip, importance_score: 0 })),
  });
  const seen = connections?.map(({ remote_ip: address }) => address);
  expect(seen).toEqual([...Array.from({ length: 4 }, () => '203.0.113.0'), '2001:db8:1:2::']);
});

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { CHECK_LIMITS } from '../rules/check-limits.ts';
import { type Authority, listen, makeAuthority, says, type Target } from '../testing/check-targets.ts';
import type { HttpProbe, Probe } from '../wire/check-probes.ts';
import { checkAddressRule } from './address-rules.ts';
import { valueAt } from './expected-text.ts';
import { type Place, runProbe } from './run-probe.ts';
import { recordText } from './socket-probes.ts';

const targets: Target[] = [];
const start: typeof listen = async (...given) => {
  const target = await listen(...given);
  targets.push(target);
  return target;
};
afterEach(async () => {
  for (const target of targets.splice(0)) await target.close();
});

let authority: Authority;
beforeAll(() => {
  authority = makeAuthority();
});
afterAll(() => authority.remove());

const placeOf = (networks: string[] = ['127.0.0.0/8']): Place => ({
  mayConnect: checkAddressRule(networks),
  milliseconds: () => performance.now(),
  redact: (text) => text.replace('secret', '[redacted]'),
  resolve: (host) => Promise.resolve(host.endsWith('.test') ? [{ address: '127.0.0.1', family: 4 }] : []),
  authority: authority.root,
});
const every = { timeout_ms: 2000, ip_version: 'any' } as const;
const httpOf = (url: string, more: Partial<HttpProbe> = {}): HttpProbe => ({
  kind: 'http',
  ...every,
  url,
  method: 'GET',
  headers: {},
  body: null,
  statuses: [[200, 299]],
  expect: null,
  follow_redirects: true,
  ignore_certificate: false,
  ...more,
});
const run = (probe: Probe, place = placeOf()) => runProbe(probe, place);
const short = { timeout_ms: 600 } as const;

describe('http', () => {
  test('measures every phase and the size', async () => {
    const { port } = await start(
      says('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'),
      authority.issue('DNS:shop.test'),
    );
    const result = await run(httpOf(`https://shop.test:${String(port)}/health`));
    expect(result).toMatchObject({
      ok: true,
      reason: null,
      failed_phase: null,
      status: 200,
      size_bytes: 5,
      text_found: null,
    });
    const { dns_ms, connect_ms, tls_ms, wait_ms, transfer_ms, total_ms } = result;
    for (const ms of [dns_ms, connect_ms, tls_ms, wait_ms, transfer_ms]) expect(ms).not.toBeNull();
    const sum = [dns_ms, connect_ms, tls_ms, wait_ms, transfer_ms].reduce<number>((all, ms) => all + (ms ?? 0), 0);
    // No moment counts twice; the time between two phases belongs to none.
    expect(sum).toBeLessThanOrEqual((total_ms ?? 0) + 1);
    expect(result.certificate).toMatchObject({ subject: 'shop.test', issuer: 'Test Root', names: ['shop.test'] });
  });

  test.each([
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nall\r\n5;x=y\r\n good\r\n0\r\n\r\n'],
    ['an interim answer', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nall good'],
    ['the end of the connection', 'HTTP/1.0 200 OK\r\n\r\nall good'],
    [
      'compression that nobody accepted',
      Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n'), gzipSync('all good')]),
    ],
  ])('finds a text in a body of %s', async (_name, text) => {
    const { port } = await start(says(text));
    const expectText = { kind: 'text', text: 'all good', isPresent: true } as const;
    expect(await run(httpOf(`http://shop.test:${String(port)}/`, { expect: expectText }))).toMatchObject({
      ok: true,
      text_found: true,
    });
  });

  const LONG = 'all good '.repeat(50);
  test.each([
    ['Content-Type: text/html; charset=ISO-8859-1', Buffer.from('Grüße', 'latin1'), 'Grüße'],
    ['Content-Type: text/plain; charset="utf-16le"', Buffer.from('Grüße', 'utf16le'), 'Grüße'],
    ['Content-Type: text/plain; charset=nonsense', Buffer.from('Grüße'), 'Grüße'],
    ['Content-Encoding: deflate', deflateRawSync(LONG), LONG],
    ['Content-Encoding: x-gzip', gzipSync(LONG), LONG],
    ['Content-Encoding: zstd', zstdCompressSync(LONG), LONG],
  ])('reads a body with %s', async (header, body, text) => {
    const { port } = await start(says(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`), body])));
    const expectText = { kind: 'text', text, isPresent: true } as const;
    expect(await run(httpOf(`http://shop.test:${String(port)}/`, { expect: expectText }))).toMatchObject({ ok: true });
  });

  test('finds a value behind a byte order mark', async () => {
    const { port } = await start(says('HTTP/1.1 200 OK\r\n\r\n\ufeff{"db":"up"}'));
    const value = { kind: 'json', path: 'db', value: 'up', isPresent: true } as const;
    expect(await run(httpOf(`http://shop.test:${String(port)}/`, { expect: value }))).toMatchObject({ ok: true });
  });

  const OK = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`;
  test.each([
    ['status_unexpected', 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n', {}],
    ['text_missing', OK('down'), { expect: { kind: 'text', text: 'up', isPresent: true } }],
    ['text_present', OK('error'), { expect: { kind: 'text', text: 'error', isPresent: false } }],
    ['value_differs', OK('{"db":["down"]}'), { expect: { kind: 'json', path: 'db[0]', value: 'up', isPresent: true } }],
    ['answer_invalid', 'SSH-2.0-OpenSSH\r\n\r\n', {}],
    ['answer_invalid', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', {}],
    ['answer_cut_off', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf', {}],
    ['reset', '', {}],
  ] as const)('%s of %j', async (reason, text, more) => {
    const { port } = await start(says(text));
    expect(await run(httpOf(`http://shop.test:${String(port)}/`, more))).toMatchObject({ ok: false, reason });
  });

  test('slow headers, a slow body and no answer at all end at the timeout, in their phase', async () => {
    const silent = await start(() => undefined);
    expect(await run(httpOf(`http://shop.test:${String(silent.port)}/`, short))).toMatchObject({
      reason: 'timeout',
      failed_phase: 'wait',
    });
    const slow = await start((socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nX-A:')));
    expect(await run(httpOf(`http://shop.test:${String(slow.port)}/`, short))).toMatchObject({ failed_phase: 'wait' });
    const body = await start((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'));
    });
    expect(await run(httpOf(`http://shop.test:${String(body.port)}/`, short))).toMatchObject({
      reason: 'timeout',
      failed_phase: 'transfer',
      status: null,
    });
    const deaf = await start(() => undefined);
    expect(await run(httpOf(`https://shop.test:${String(deaf.port)}/`, short))).toMatchObject({ failed_phase: 'tls' });
  });

  test('of a large body it reads a mebibyte, and a bomb of gzip has no text', async () => {
    const chunk = Buffer.alloc(65_536, 'a');
    const endless = await start((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n');
        const more = (): void => {
          while (socket.writable && socket.write(chunk));
        };
        socket.on('drain', more);
        more();
      });
    });
    expect(await run(httpOf(`http://shop.test:${String(endless.port)}/`))).toMatchObject({
      ok: true,
      size_bytes: CHECK_LIMITS.bodyBytes,
    });
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));
    const { port } = await start(
      says(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n'), bomb])),
    );
    const found = { kind: 'text', text: 'a', isPresent: true } as const;
    expect(await run(httpOf(`http://shop.test:${String(port)}/`, { expect: found }))).toMatchObject({
      reason: 'text_missing',
    });
  });

  test('a redirect keeps its headers on one host only, and a loop ends', async () => {
    const seen: string[] = [];
    const last = await start((socket) => {
      socket.once('data', (bytes: Buffer) => {
        seen.push(bytes.toString());
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    });
    const first = await start(
      says(`HTTP/1.1 302 Found\r\nLocation: http://other.test:${String(last.port)}/x?y=1\r\n\r\n`),
    );
    const headers = { authorization: 'Bearer secret', 'x-a': 'b\r\nEvil: yes' };
    const probe = httpOf(`http://shop.test:${String(first.port)}/`, { headers });
    expect(await run(probe)).toMatchObject({ ok: true, status: 200 });
    expect(seen[0]).toMatch(/^GET \/x\?y=1 HTTP\/1\.1\r\nHost: other\.test/);
    expect(seen[0]).not.toContain('secret');
    expect(await run({ ...probe, follow_redirects: false })).toMatchObject({
      reason: 'status_unexpected',
      status: 302,
    });
    const loop = await start(says('HTTP/1.1 301 Moved\r\nLocation: /again\r\n\r\n'));
    expect(await run(httpOf(`http://shop.test:${String(loop.port)}/`))).toMatchObject({ reason: 'too_many_redirects' });
    expect(loop.connections()).toBe(CHECK_LIMITS.redirects + 1);
  });

  test.each([
    ['GET', 302, '../end?x#part', 'GET /end?x'],
    ['GET', 302, '/end/straße', 'GET /end/stra%C3%9Fe'],
    ['POST', 302, '/end', 'GET /end'],
    ['PUT', 302, '/end', 'PUT /end'],
    ['PUT', 303, '/end', 'GET /end'],
    ['POST', 307, '/end', 'POST /end'],
    ['HEAD', 303, '/end', 'HEAD /end'],
  ] as const)('%s with %i to %s becomes %s', async (method, status, location, line) => {
    const lines: string[] = [];
    const { port } = await start((socket) => {
      socket.once('data', (bytes: Buffer) => {
        const [first = ''] = bytes.toString().split(' HTTP/1.1');
        lines.push(first);
        const head = first.includes('/end')
          ? 'HTTP/1.1 204 No'
          : `HTTP/1.1 ${String(status)} Moved\r\nLocation: ${location}`;
        socket.end(`${head}\r\nContent-Length: 0\r\n\r\n`);
      });
    });
    expect(await run(httpOf(`http://shop.test:${String(port)}/a/b`, { method }))).toMatchObject({ ok: true });
    expect(lines).toEqual([`${method} /a/b`, line]);
  });

  test.each([
    ['POST', true],
    ['GET', false],
  ] as const)('%s without a body sends its length: %s', async (method, isSent) => {
    let text = '';
    const { port } = await start((socket) => {
      socket.once('data', (bytes: Buffer) => {
        text = bytes.toString();
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    expect(await run(httpOf(`http://shop.test:${String(port)}/`, { method }))).toMatchObject({ ok: true });
    expect(text.includes('\r\nContent-Length: 0\r\n')).toBe(isSent);
  });

  test('a header cannot begin a second request', async () => {
    let text = '';
    const { port } = await start((socket) => {
      socket.once('data', (bytes: Buffer) => {
        text = bytes.toString();
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    const headers = { 'x-a': 'b\r\nEvil: yes', 'x: y\r\nz': '1', host: 'evil' };
    expect(await run(httpOf(`http://shop.test:${String(port)}/`, { headers }))).toMatchObject({ ok: true });
    expect(text.split('\r\n').filter((line) => /^(?:evil|z|host: evil)/i.test(line))).toEqual([]);
  });
});

describe('addresses', () => {
  test('a refused address gets no connection, by itself, by name, by rebinding and by redirect', async () => {
    const target = await start(says('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const closed = placeOf([]);
    for (const host of ['127.0.0.1', 'shop.test', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '127.1'])
      expect(await run(httpOf(`http://${host}:${String(target.port)}/`), closed)).toMatchObject({
        ok: false,
        reason: 'address_refused',
        connect_ms: null,
      });
    for (const kind of ['tcp', 'tls'] as const)
      expect(await run({ kind, ...every, host: 'shop.test', port: target.port, expect: null }, closed)).toMatchObject({
        reason: 'address_refused',
      });
    expect(target.connections()).toBe(0);

    // The first answer is good, any later one leads to a refused address.
    let asked = 0;
    const rebinding: Place = {
      ...placeOf(['127.0.0.1']),
      resolve: () => Promise.resolve([{ address: (asked += 1) === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]),
    };
    expect(await run(httpOf(`http://shop.test:${String(target.port)}/`), rebinding)).toMatchObject({ ok: true });
    expect(asked).toBe(1);

    for (const to of [
      'http://169.254.169.254/latest',
      'http://[fe80::1]/',
      'http://127.0.0.2/',
      'file:///etc/passwd',
    ]) {
      const redirecting = await start(says(`HTTP/1.1 302 Found\r\nLocation: ${to}\r\n\r\n`));
      const result = await run(httpOf(`http://127.0.0.1:${String(redirecting.port)}/`), placeOf(['127.0.0.1']));
      expect(['address_refused', 'redirect_invalid']).toContain(result.reason);
    }
  });

  test.each([
    '169.254.169.254',
    'fe80::1',
    'fd00:ec2::254',
    '100.100.100.200',
    '::ffff:169.254.169.254',
    '168.63.129.16',
    '0.0.0.0',
    'ff02::1',
    'fe80::1%eth0',
    '64:ff9b::a9fe:a9fe',
  ])('%s is refused whatever the networks are', (address) => {
    expect(checkAddressRule(['0.0.0.0/0', '::/0'])(address)).toBe(false);
  });
  test.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['10.1.2.3', [], false],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['::1', ['::1'], true],
    ['1.1.1.1', [], true],
    ['shop.test', ['0.0.0.0/0'], false],
  ])('%s within %j: %s', (address, networks, may) => {
    expect(checkAddressRule(networks)(address)).toBe(may);
  });
});

describe('certificates', () => {
  const DAY = 86_400_000;
  const tls = (port: number, host = 'shop.test'): Probe => ({ kind: 'tls', ...every, host, port });
  const hello = says('HTTP/1.1 204 No Content\r\n\r\n');
  test.each([
    ['certificate_expired', 'DNS:shop.test', { from: Date.now() - 9 * DAY, days: 8 }],
    ['certificate_not_yet_valid', 'DNS:shop.test', { from: Date.now() + DAY }],
    ['certificate_wrong_name', 'DNS:other.test', {}],
    ['certificate_chain_incomplete', 'DNS:shop.test', { middle: 'missing' }],
    ['certificate_weak_key', 'DNS:shop.test', { bits: 1024 }],
    [null, 'DNS:shop.test', { middle: 'sent' }],
    // Clients end the chain at the root that they trust, and never look at the certificate that has ended.
    [null, 'DNS:shop.test', { middle: 'crossed' }],
    ['certificate_expired', 'DNS:shop.test', { middle: 'crossed', from: Date.now() - 9 * DAY, days: 8 }],
    [null, 'DNS:other.test, DNS:shop.test', {}],
  ] as const)('%s', async (reason, names, options) => {
    const pair = authority.issue(names, options);
    // Without it OpenSSL serves no short key.
    const { port } = await start(hello, { ...pair, ciphers: 'DEFAULT@SECLEVEL=0' });
    const result = await run(tls(port));
    expect(result).toMatchObject({ ok: reason === null, reason });
    expect(result.certificate?.fingerprint).toMatch(/^[\da-f]{64}$/);
    expect(await run(httpOf(`https://shop.test:${String(port)}/`, { ignore_certificate: true }))).toMatchObject({
      ok: true,
    });
  });

  test('a name with a dot at its end asks for the certificate of the name', async () => {
    let asked: unknown = null;
    const { port } = await start((socket) => {
      asked = 'servername' in socket ? socket.servername : null;
      hello(socket);
    }, authority.issue('DNS:shop.test'));
    const place: Place = { ...placeOf(), resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) };
    expect(await run(httpOf(`https://shop.test.:${String(port)}/`), place)).toMatchObject({ ok: true });
    expect(asked).toBe('shop.test');
  });

  test('names the type of a key that is no RSA and on no named curve', async () => {
    const { port } = await start(hello, authority.issue('DNS:shop.test', { bits: 0 }));
    expect(await run(tls(port))).toMatchObject({ ok: true, certificate: { key: 'Ed25519' } });
  });

  test.each([
    ['a.shop.test', 'DNS:*.shop.test', null],
    ['b.a.shop.test', 'DNS:*.shop.test', 'certificate_wrong_name'],
    ['shop.test', 'DNS:*.shop.test', 'certificate_wrong_name'],
    ['127.0.0.1', 'IP:127.0.0.1', null],
    ['127.0.0.1', 'DNS:127.0.0.1', 'certificate_wrong_name'],
  ])('of %s a certificate for %s gives %s', async (host, names, reason) => {
    const { port } = await start(hello, authority.issue(names));
    expect(await run(tls(port, host))).toMatchObject({ reason });
  });

  test('one of an unknown authority is untrusted, and a renewed one is another', async () => {
    const { port } = await start(hello, authority.issue('DNS:shop.test'));
    const { authority: _none, ...without } = placeOf();
    expect(await run(tls(port), without)).toMatchObject({ ok: false, certificate: { chain: 1 } });
    const { certificate: before } = await run(tls(port));
    const renewed = await start(hello, authority.issue('DNS:shop.test', { days: 15 }));
    const { certificate: after } = await run(tls(renewed.port));
    expect(after?.fingerprint).not.toBe(before?.fingerprint);
    expect((after?.ends_at ?? 0) - (before?.ends_at ?? 0)).toBeGreaterThan(4 * 86_400);
  });
});

test('tcp reads a first line, cut and redacted', async () => {
  const { port } = await start((socket) => socket.write(`220 mail secret ${'x'.repeat(200)}\r\nmore`));
  const probe = { kind: 'tcp', ...every, host: 'shop.test', port, expect: '220' } as const;
  const result = await run(probe);
  expect(result).toMatchObject({ ok: true, text_found: true });
  expect(result.answer).toMatch(/^220 mail \[redacted\] x+$/);
  expect(result.answer).toHaveLength(CHECK_LIMITS.firstLineCharacters);
  expect(await run({ ...probe, expect: 'SSH' })).toMatchObject({ reason: 'text_missing' });
  await targets.pop()?.close();
  expect(await run(probe)).toMatchObject({ reason: 'connection_refused', failed_phase: 'connect' });
});

test.each([
  ['login: ', 'login: ', null],
  ['220 mail\r\n', '220 mail', null],
  ['220 mail\r\nready', 'ready', 'text_missing'],
])('tcp: of the answer %j the expected text %j gives %s', async (answer, expected, reason) => {
  const { port } = await start((socket) => socket.write(answer));
  expect(
    await run({ kind: 'tcp', ...every, timeout_ms: 500, host: 'shop.test', port, expect: expected }),
  ).toMatchObject({ reason });
});

test('dns compares records, and a name without an answer does not resolve', async () => {
  const place: Place = { ...placeOf(), records: () => Promise.resolve(['10 mail.shop.test.', '20 spare.shop.test']) };
  const expected = ['10 MAIL.shop.test'];
  const probe: Probe = { kind: 'dns', ...every, host: 'shop.test', record_type: 'MX', expect: expected };
  expect(await run(probe, place)).toMatchObject({
    ok: true,
    text_found: true,
    answer: '10 mail.shop.test., 20 spare.shop.test',
  });
  expect(await run({ ...probe, expect: ['30 x'] }, place)).toMatchObject({ reason: 'records_missing' });
  const none: Place = { ...place, records: () => Promise.reject(new Error('ENOTFOUND')) };
  expect(await run(probe, none)).toMatchObject({ reason: 'name_not_resolved', failed_phase: 'dns' });
});

test.each([
  ['TXT', 'k=AbC.', 'k=AbC.', null],
  ['TXT', 'k=AbC', 'k=abc', 'records_missing'],
  ['AAAA', '2001:db8::1', '2001:DB8:0:0:0:0:0:1', null],
  ['AAAA', '2001:db8::1', '2001:db8::2', 'records_missing'],
  ['CNAME', 'Shop.Example.', 'shop.example', null],
  ['CAA', '0 issue ca.example', '0 issue "ca.example"', null],
] as const)('dns of %s: %s and the expected %s give %s', async (type, record, expected, reason) => {
  const place: Place = { ...placeOf(), records: () => Promise.resolve([record]) };
  const probe: Probe = { kind: 'dns', ...every, host: 'shop.test', record_type: type, expect: [expected] };
  expect(await run(probe, place)).toMatchObject({ reason });
});

test('a resolver that does not answer is no name that does not exist', async () => {
  const silent = Object.assign(new Error('queryA ETIMEOUT shop.test'), { code: 'ETIMEOUT' });
  const place: Place = { ...placeOf(), records: () => Promise.reject(silent) };
  const probe: Probe = { kind: 'dns', ...every, host: 'shop.test', record_type: 'A', expect: [] };
  expect(await run(probe, place)).toMatchObject({ reason: 'timeout', failed_phase: 'dns' });
});

test.each([
  [{ critical: 0, issue: 'ca.example' }, '0 issue ca.example'],
  [{ critical: 128, iodef: 'mailto:a@b.example', type: 'CAA' }, '128 iodef mailto:a@b.example'],
  [{ exchange: 'mail.example', priority: 10 }, '10 mail.example'],
  [{ name: 'db.example', port: 5432, priority: 1, weight: 5 }, '1 5 5432 db.example'],
  [['v=spf1 ', '-all'], 'v=spf1 -all'],
])('the record %j reads %s', (record, text) => {
  expect(recordText(record)).toBe(text);
});

test.each([
  ['["a.b"].c', 1],
  ["$['a.b'].c", 1],
  ['"a.b".c', 1],
  ['$schema', 's'],
  ['$.n[0][0]', 5],
  ['n.0.0', 5],
  ['x y[1]["d\\"e"]', 2],
  ['x y[1].d"e', 2],
  ['["k]"]', 3],
  ['n[1]', undefined],
  ['constructor', undefined],
  ['n..0', [5]],
])('the path %s leads to %j', (path, value) => {
  const document = { 'a.b': { c: 1 }, $schema: 's', 'x y': [null, { 'd"e': 2 }], 'k]': 3, n: [[5]] };
  expect(valueAt(JSON.stringify(document), path)).toEqual(value);
});

test('a stop ends a probe at once', async () => {
  const { port } = await start(() => undefined);
  const stop = new AbortController();
  const running = runProbe(httpOf(`http://shop.test:${String(port)}/`, { timeout_ms: 30_000 }), placeOf(), stop.signal);
  stop.abort();
  expect(await running).toMatchObject({ ok: false });
});

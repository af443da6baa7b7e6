import { checkRequest, type CheckDetail, type ProbeRequest } from '@plimsoll/contract/wire/checks/checks';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkDraftOf,
  checkField,
  checkProblems,
  checkRequestOf,
  onServers,
  requestOf,
  runsOnServers,
} from './check-draft.ts';
import { readStatuses, statusesText } from './statuses-text.ts';

const SERVER = '00000000-0000-4000-8000-00000000000a';
const word = fc.stringMatching(/^[a-z]{1,12}$/);
const every = {
  timeout_ms: fc.integer({ min: 100, max: 30_000 }),
  ip_version: fc.constantFrom('any' as const, '4' as const, '6' as const),
};
const port = fc.integer({ min: 1, max: 65_535 });
const range = fc
  .tuple(fc.integer({ min: 100, max: 599 }), fc.integer({ min: 100, max: 599 }))
  .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);
const statuses = fc.array(range, { minLength: 1, maxLength: 20 });
const isPresent = fc.boolean();
const answer = fc.oneof(
  fc.constant(null),
  fc.record({ kind: fc.constant('text' as const), text: fc.string({ minLength: 1 }), isPresent }),
  fc.record({
    kind: fc.constant('json' as const),
    path: fc.string({ minLength: 1 }),
    value: fc.option(fc.string()),
    isPresent,
  }),
);
const probe: fc.Arbitrary<ProbeRequest> = fc.oneof(
  fc.record({
    kind: fc.constant('http' as const),
    ...every,
    url: word.map((path) => `https://shop.example.net/${path}`),
    method: fc.constantFrom('GET' as const, 'POST' as const),
    statuses,
    expect: answer,
    follow_redirects: fc.boolean(),
    ignore_certificate: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('tcp' as const), ...every, host: word, port, expect: fc.option(word) }),
  fc.record({
    kind: fc.constant('dns' as const),
    ...every,
    host: word,
    record_type: fc.constantFrom('A' as const, 'TXT' as const),
    expect: fc.array(word, { maxLength: 20 }),
  }),
  fc.record({ kind: fc.constant('tls' as const), ...every, host: word, port }),
);
const vote = { name: 'edge', region: null, vote: 'up', reason: null, voted_at: null, total_ms: null } as const;
const check = fc
  .record({
    name: word,
    is_enabled: fc.boolean(),
    probe,
    runs_on: fc.record({
      api: fc.constant(true),
      server_ids: fc.constantFrom([], [SERVER]),
      tag: fc.option(fc.record({ key: word, value: fc.option(fc.string()) })),
    }),
    header_names: fc.constantFrom([], ['authorization']),
    has_body: fc.boolean(),
    shares_secrets: fc.boolean(),
    needed_setting: fc.option(fc.integer({ min: 1, max: 50 })),
    retries: fc.integer({ min: 0, max: 10 }),
    interval_seconds: fc.integer({ min: 20, max: 86_400 }),
    server_id: fc.option(fc.constant(SERVER)),
  })
  .map((stored) => ({ ...stored, heartbeat: null, votes: [{ ...vote, server_id: SERVER }] }) as unknown as CheckDetail);

const sent = (request: unknown) => checkRequest.parse(JSON.parse(JSON.stringify(request)));

describe('a check', () => {
  it('that nobody changed in the form is sent as it is stored', () => {
    fc.assert(
      fc.property(check, (stored) => {
        const written = stored.probe as ProbeRequest;
        const draft = checkDraftOf(stored, written);
        expect(checkProblems(draft, written)).toEqual({});
        const request = sent(checkRequestOf(draft, stored, written));
        expect(request).toEqual(sent(requestOf(stored)));
        expect(request).toMatchObject({
          name: stored.name,
          is_enabled: stored.is_enabled,
          probe: written,
          places: stored.runs_on,
          needed: stored.needed_setting,
          interval_seconds: stored.interval_seconds,
        });
      }),
    );
  });

  it('leaves out a server that was deleted, and headers and body, which stay', () => {
    const [stored] = fc.sample(check, 1) as [CheckDetail];
    const gone = { ...stored, runs_on: { api: true, server_ids: [SERVER, 'gone'], tag: null } };
    const request = requestOf(gone);
    expect(request.places?.server_ids).toEqual([SERVER]);
    expect(Object.keys(request.probe ?? {})).not.toContain('headers');
  });

  it('of another target lets the API find its server again', () => {
    fc.assert(
      fc.property(check, (stored) => {
        const written = stored.probe as ProbeRequest;
        const draft = { ...checkDraftOf(stored, written), target: 'https://other.example.net/' };
        expect(checkRequestOf(draft, stored, written).server_id).toBeUndefined();
      }),
    );
  });

  it('names each field that cannot be sent', () => {
    const http: ProbeRequest = {
      kind: 'http',
      timeout_ms: 1000,
      ip_version: 'any',
      url: 'https://a.example',
      method: 'GET',
      statuses: [[200, 299]],
      expect: null,
      follow_redirects: true,
      ignore_certificate: false,
    };
    const [stored] = fc.sample(check, 1) as [CheckDetail];
    const bad = {
      ...checkDraftOf(stored, http),
      name: ' ',
      target: '',
      every: '19 s',
      timeout: '31',
      retries: '1.5',
      statuses: '2xx',
      answer: 'json' as const,
      fromApi: false,
      serverIds: [],
      tagKey: ' ',
    };
    expect(Object.keys(checkProblems(bad, http))).toEqual([
      'name',
      'target',
      'every',
      'timeout',
      'retries',
      'statuses',
      'path',
      'fromApi',
    ]);
  });
});

describe('readStatuses', () => {
  it('reads what statusesText writes', () => {
    fc.assert(
      fc.property(statuses, (ranges) => {
        expect(readStatuses(statusesText(ranges))).toEqual(ranges);
      }),
    );
  });
  it.each(['', '200,', '299-200', '99', '600', '200-', 'ok', Array.from({ length: 21 }, () => '200').join()])(
    'refuses "%s"',
    (text) => expect(readStatuses(text)).toBeNull(),
  );
});

describe('the edges of a check', () => {
  const TCP: ProbeRequest = { kind: 'tcp', timeout_ms: 1000, ip_version: 'any', host: 'db', port: 5432, expect: null };
  const [stored] = fc.sample(check, { numRuns: 1, seed: 7 }) as [CheckDetail];
  const draft = { ...checkDraftOf(stored, TCP), name: 'db', every: '1 min', retries: '1' };
  const problemsOf = (given: Partial<typeof draft>) => Object.keys(checkProblems({ ...draft, ...given }, TCP));

  it.each([
    ['port', ['1', '65535', ' 443 '], ['0', '65536', '', '80.5', '-1', '1e3']],
    ['every', ['20 s', '1 d', '5'], ['19 s', '1441', '0', 'often']],
    ['timeout', ['0.1', '30', '1.25'], ['0.099', '30.001', '', '-1', '1,5']],
    ['retries', ['0', '10'], ['-1', '11', '1.5', '']],
  ] as const)('%s: takes its ends and nothing beyond', (field, right, wrong) => {
    expect(right.map((typed) => problemsOf({ [field]: typed }))).toEqual(right.map(() => []));
    expect(wrong.map((typed) => problemsOf({ [field]: typed }))).toEqual(wrong.map(() => [field]));
  });

  it('needs one place: the API, a server, or servers with a tag', () => {
    const nowhere = { fromApi: false, serverIds: [], tagKey: '', tagValue: null };
    expect(problemsOf(nowhere)).toEqual(['fromApi']);
    expect(problemsOf({ ...nowhere, fromApi: true })).toEqual([]);
    expect(problemsOf({ ...nowhere, serverIds: [SERVER] })).toEqual([]);
    expect(problemsOf({ ...nowhere, tagKey: 'env' })).toEqual([]);
    expect(onServers({ ...draft, ...nowhere })).toBe(false);
    expect(onServers({ ...draft, ...nowhere, tagKey: 'env' })).toBe(true);
  });

  it('runs on servers also by a tag, so that only an admin may change it', () => {
    const on = (server_ids: string[], tag: CheckDetail['runs_on']['tag']) =>
      runsOnServers({ ...stored, runs_on: { api: true, server_ids, tag } });
    expect([on([], null), on([SERVER], null), on([], { key: 'env', value: null })]).toEqual([false, true, true]);
  });

  it('shows an error of the API beside its field', () => {
    const fields = ['probe.url', 'probe.host', 'probe.expect.path', 'places', 'places.tag', 'interval_seconds'];
    expect(fields.map(checkField)).toEqual(['target', 'target', 'path', 'fromApi', 'tagKey', 'every']);
    expect([checkField('limit'), checkField(null)]).toEqual([null, null]);
  });
});

import { describe, expect, it } from 'vitest';
import { failed, status } from '../testing/fake-api.ts';
import { memoryDisk } from '../testing/memory-disk.ts';
import { sayBye } from './bye.ts';
import { readCredentials, removeCredentials, writeCredentials } from './credentials.ts';
import { enrol } from './enrol.ts';
import type { Reply } from './http.ts';
import { readStatus } from './status.ts';
import { judge } from './verdict.ts';

const REQUEST = { enrolment_token: 't', machine_hash: 'a'.repeat(64), hostname: 'h' };
const ANSWER = { server_id: 's', agent_token: 'a', interval: 60 };
const api = (reply: Reply) => ({ post: async () => reply });

describe('enrol', () => {
  it.each([
    [
      'enrolled',
      status(200, ANSWER),
      { kind: 'enrolled', credentials: { server_id: 's', agent_token: 'a' }, intervalSeconds: 60 },
    ],
    [
      'enrolled beside its clone',
      status(200, { ...ANSWER, shares_machine_id_with: ['ct101', 7, ''] }),
      {
        kind: 'enrolled',
        credentials: { server_id: 's', agent_token: 'a' },
        intervalSeconds: 60,
        sharesWith: ['ct101'],
      },
    ],
    [
      'refused',
      status(401, { code: 'x', detail: 'Token is expired.' }),
      { kind: 'refused', code: 'x', detail: 'Token is expired.' },
    ],
    ['refused without a reason', status(403), { kind: 'refused', code: 'http_403', detail: 'the server answered 403' }],
    ['busy', status(503, null, 7), { kind: 'later', code: 'http_503', seconds: 7 }],
    ['too many', status(429), { kind: 'later', code: 'http_429', seconds: null }],
    ['unreachable', failed('ECONNREFUSED'), { kind: 'later', code: 'ECONNREFUSED', seconds: null }],
    ['answered by something else', status(200, '<html>'), { kind: 'later', code: 'answer_unreadable', seconds: null }],
    ['half answered', status(200, { server_id: 's' }), { kind: 'later', code: 'answer_unreadable', seconds: null }],
  ] as [string, Reply, object][])('%s', async (_what, reply, outcome) => {
    expect(await enrol(api(reply), REQUEST)).toEqual(outcome);
  });
});

describe('credentials', () => {
  it('are kept, and nothing beside them', () => {
    const disk = memoryDisk();
    expect(readCredentials(disk)).toBeNull();
    writeCredentials(disk, { server_id: 's', agent_token: 'a' });
    expect(readCredentials(disk)).toEqual({ server_id: 's', agent_token: 'a' });
    removeCredentials(disk);
    expect(readCredentials(disk)).toBeNull();
  });

  it.each(['', '{', '[]', '{"server_id":"s"}', '{"server_id":"","agent_token":"a"}', 'null'])(
    '%j is damaged',
    (text) => {
      const disk = memoryDisk(new Map([['agent.json', Buffer.from(text)]]));
      expect(() => readCredentials(disk)).toThrow('agent.json in the state directory is damaged');
    },
  );
});

it('takes a status file of another version, or none, for no status', () => {
  expect(readStatus(memoryDisk())).toBeNull();
  expect(readStatus(memoryDisk(new Map([['status.json', Buffer.from('{"pid":"x"}')]])))).toBeNull();
});

it('says goodbye without insisting', async () => {
  expect(await sayBye(api(status(200, {})), { token: 't' }, 'stop')).toBe(true);
  expect(await sayBye(api(failed('timeout')), { token: 't' }, 'stop')).toBe(false);
  expect(await sayBye(api(status(401)), { token: 't' }, 'uninstall')).toBe(false);
});

it.each([
  [200, 'retry'],
  [400, 'halve'],
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [404, 'retry'],
  [409, 'renew'],
  [410, 'gone'],
  [413, 'halve'],
  [415, 'unspoken'],
  [426, 'unspoken'],
  [429, 'wait'],
  [500, 'retry'],
  [502, 'retry'],
  [503, 'wait'],
])('%i without a usable body asks to %s', (code, action) => {
  expect(judge(status(code)).do).toBe(action);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { issueEnrolmentToken } from '../servers/enrol.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { testApp, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';

/**
 * Replays every request body of collector 0.1.0, as recorded in api/contract/fixtures/0.1.0, in the order it was sent.
 * The answer must be equal; the stored figures may gain fields, never lose or change one.
 */
const FIXTURES = join(import.meta.dirname, '../../contract/fixtures/0.1.0');

interface Expected {
  path: string;
  /** Null for enrolment, which carries its token in the body. */
  token: string | null;
  /** Epoch milliseconds at which the API received the request. */
  at: number;
  status: number;
  answer: Record<string, unknown>;
  /** Part of the `data` of a call, by path. */
  stored: Record<string, unknown>;
}

const textOf = (folder: string, file: string): string => readFileSync(join(FIXTURES, folder, file), 'utf8');
const bodiesOf = (folder: string): string[] =>
  readdirSync(join(FIXTURES, folder))
    .filter((file) => !file.endsWith('.expected.json'))
    .map((file) => file.replace('.json', ''))
    .toSorted();

/** Ids and tokens of the recording and those of this run. */
class Names {
  readonly #pairs: [string, string][] = [];
  add(recorded: unknown, now: unknown): void {
    if (typeof recorded === 'string' && typeof now === 'string') this.#pairs.push([recorded, now]);
  }
  toNow(text: string): string {
    return this.#pairs.reduce((all, [recorded, now]) => all.replaceAll(recorded, now), text);
  }
  toRecorded(text: string): string {
    return this.#pairs.reduce((all, [recorded, now]) => all.replaceAll(now, recorded), text);
  }
}

/** The secrets a user copies from the dashboard before the collector starts. */
async function dashboardSecrets(app: TestApp, user: TestUser, folder: string): Promise<Names> {
  const { storage, clock } = app.deps;
  const names = new Names();
  const { enrolmentTokens } = storage;
  const enrolment = await issueEnrolmentToken({ enrolmentTokens, clock }, ownerOf(user.organisationId), {
    createdBy: user.personId,
  });
  names.add(`plm_enrol_${`${folder}-`.padEnd(43, '0')}`, enrolment.token);
  const cluster = await app.call('POST', '/api/user/cluster-tokens', { token: user.token, body: { name: 'prod' } });
  names.add(`plm_cluster_${'0'.repeat(43)}`, tokenIn(cluster.json.data));
  const heir = await app.newUser();
  const permanent = await app.call('POST', '/api/user/generate-auth-token', { token: heir.token, body: {} });
  names.add(`plm_api_${'heir-'.padEnd(43, '0')}`, tokenIn(permanent.json.data));
  names.add('heir@example.com', heir.email);
  return names;
}
const tokenIn = (data: unknown): string => (data as { token: string }).token;

/** Returns the data with its events by message: those of one moment have no order of their own. */
function eventsSorted(data: unknown): unknown {
  const { events } = data as { events?: { message: string }[] };
  if (events === undefined) return data;
  const sorted = events.toSorted((a, b) => (a.message < b.message ? -1 : Number(a.message > b.message)));
  return { ...(data as object), events: sorted };
}

const db = testStorage();

describe.each(['linux', 'macos', 'kubernetes'])('the API replays %s of collector 0.1.0', (folder) => {
  it('and answers and stores every body as recorded', async () => {
    const app = testApp(db.storage());
    const bodies = bodiesOf(folder);
    expect(bodies.length).toBeGreaterThan(2);
    const [first] = bodies.map((body) => expectedOf(folder, body));
    app.clock.ms = first?.at ?? 0;
    const user = await app.newUser();
    const names = await dashboardSecrets(app, user, folder);
    for (const body of bodies) {
      const expected = expectedOf(folder, body);
      app.clock.ms = expected.at;
      const token = expected.token === null ? {} : { token: names.toNow(expected.token) };
      const sent = names.toNow(JSON.stringify(JSON.parse(textOf(folder, `${body}.json`))));
      const got = await app.call('POST', expected.path, { ...token, body: sent });
      names.add(expected.answer['server_id'], got.json['server_id']);
      names.add(expected.answer['agent_token'], got.json['agent_token']);
      expect([body, got.status, JSON.parse(names.toRecorded(got.text))]).toEqual([
        body,
        expected.status,
        expected.answer,
      ]);
      for (const [path, figures] of Object.entries(expected.stored)) {
        const shown = await app.call('GET', names.toNow(path), { token: user.token });
        const { data } = JSON.parse(names.toRecorded(shown.text)) as { data: unknown };
        expect([body, path, eventsSorted(data)]).toMatchObject([body, path, figures]);
      }
    }
  });
});

const expectedOf = (folder: string, body: string): Expected =>
  JSON.parse(textOf(folder, `${body}.expected.json`)) as Expected;

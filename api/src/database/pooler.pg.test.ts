/** Against the real PgBouncer: what it breaks is refused at start, and with PLIMSOLL_LISTEN_URL nothing breaks. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../config.ts';
import { openStorage, type OpenedStorage } from '../deps.ts';
import { createLogger } from '../telemetry/logger.ts';
import { reportsBody, testApp } from '../testing/app.ts';
import { type PgBouncer, type PoolMode, startPgBouncer } from '../testing/pgbouncer.ts';
import { describeEachPostgres, type TestDatabase } from '../testing/postgres.ts';
import type { Connection } from './connection.ts';

type Socket = Extract<Connection, { host: string }>;
const socketOf = (db: TestDatabase): Socket => db.connection() as Socket;
const directUrl = (db: TestDatabase, { database = socketOf(db).database, user = socketOf(db).user } = {}): string =>
  `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(socketOf(db).host)}`;

const log = createLogger({ level: 'silent', format: 'json' });
const open = (environment: Record<string, string>): Promise<OpenedStorage> =>
  openStorage(loadConfig(environment, false), log);
/** Returns the message of a start that is refused. */
const refusal = (environment: Record<string, string>): Promise<string> =>
  open(environment).then(
    async (opened) => {
      await opened.close();
      return 'accepted';
    },
    (error: unknown) => String(error),
  );

describeEachPostgres('a pooler', (db) => {
  const poolers: Partial<Record<PoolMode, PgBouncer>> = {};
  const urlOf = (mode: PoolMode): string => poolers[mode]?.urlOf(socketOf(db).database) ?? '';
  beforeAll(async () => {
    for (const mode of ['session', 'transaction', 'statement'] as const)
      poolers[mode] = await startPgBouncer(socketOf(db), mode);
  });
  afterAll(async () => {
    for (const pooler of Object.values(poolers)) await pooler.stop();
  });

  test('in session mode needs no other address', async () => {
    expect(await refusal({ DATABASE_URL: urlOf('session') })).toBe('accepted');
  });

  test('in transaction mode is refused without the address of PostgreSQL itself', async () => {
    expect(await refusal({ DATABASE_URL: urlOf('transaction') })).toMatch(
      /DATABASE_URL leads through a connection pooler in transaction mode.*Set PLIMSOLL_LISTEN_URL/,
    );
  });

  test('in statement mode is refused: it knows no transactions', async () => {
    const PLIMSOLL_LISTEN_URL = directUrl(db);
    expect(await refusal({ DATABASE_URL: urlOf('statement'), PLIMSOLL_LISTEN_URL })).toMatch(/transaction/i);
  });

  test('is refused if the other address leads through it too, to another database or to another user', async () => {
    const DATABASE_URL = urlOf('transaction');
    expect(await refusal({ DATABASE_URL, PLIMSOLL_LISTEN_URL: DATABASE_URL })).toMatch(
      /PLIMSOLL_LISTEN_URL does not receive the notifications/,
    );
    expect(await refusal({ DATABASE_URL, PLIMSOLL_LISTEN_URL: directUrl(db, { database: 'postgres' }) })).toMatch(
      /PLIMSOLL_LISTEN_URL leads to the database postgres as plimsoll, and DATABASE_URL to test_/,
    );
    await db.sql('CREATE ROLE stranger LOGIN').catch(() => undefined);
    expect(await refusal({ DATABASE_URL, PLIMSOLL_LISTEN_URL: directUrl(db, { user: 'stranger' }) })).toMatch(
      /as stranger, and DATABASE_URL to test_/,
    );
  });

  describe('in transaction mode, with the address of PostgreSQL itself', () => {
    const settings = () => ({ DATABASE_URL: urlOf('transaction'), PLIMSOLL_LISTEN_URL: directUrl(db) });

    test('is refused while it keeps sessions with other settings, which RECONNECT ends', async () => {
      await db.sql(`ALTER ROLE plimsoll IN DATABASE ${socketOf(db).database} RESET ALL`);
      await poolers.transaction?.command('RECONNECT');
      // Opens a session with the settings of PostgreSQL.
      expect(await refusal({ DATABASE_URL: urlOf('transaction') })).toMatch(/transaction mode/);
      expect(await refusal(settings())).toMatch(/opened before the settings of their role changed.*RECONNECT/);
      await poolers.transaction?.command('RECONNECT');
      expect(await refusal(settings())).toBe('accepted');
    });

    test('carries reports, jobs under locks, changes between replicas and the settings of a session', async () => {
      const [one, two] = [await open(settings()), await open(settings())];
      try {
        const app = testApp(one.storage);
        const user = await app.newUser();
        const agents = await Promise.all(Array.from({ length: 12 }, () => app.newAgent(user)));
        // More at once than the pooler has sessions: each statement meets sessions that have not prepared it.
        for (let round = 1; round <= 4; round += 1) {
          const answers = await Promise.all(
            agents.map((agent) =>
              app.call('POST', '/api/agent/v1/reports', {
                token: agent.token,
                body: reportsBody(agent, app.clock.now(), [{ seq: round, load: { one: round, five: 1, fifteen: 1 } }]),
              }),
            ),
          );
          expect(answers.map(({ status }) => status)).toEqual(agents.map(() => 200));
          app.clock.pass(60);
        }
        const [stored] = await db.sql<{ count: number }>('SELECT count(*)::int FROM host_sample');
        expect(stored?.count).toBe(48);

        const [first, second] = await Promise.all([
          one.storage.maintenance.prune(app.clock.now()),
          two.storage.maintenance.prune(app.clock.now()),
        ]);
        expect([first, second].filter((done) => done !== null).length).toBeGreaterThan(0);

        const heard: string[] = [];
        const stop = await two.storage.broadcast.listen({ onMessage: (text) => heard.push(text), onGap: () => {} });
        await one.storage.broadcast.send('changed');
        await vi.waitFor(() => expect(heard).toEqual(['changed']), { timeout: 30_000, interval: 20 });
        await stop();
      } finally {
        await one.close();
        await two.close();
      }
    });
  });
});

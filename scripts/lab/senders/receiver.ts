import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { hashToken, newToken } from '../../../api/src/accounts/tokens.ts';
import { createApp } from '../../../api/src/app.ts';
import { metricsJobOf } from '../../../api/src/testing/metrics-job.ts';
import { listen, type Listening } from '../../../api/src/http/listen.ts';
import { testApp, type TestApp } from '../../../api/src/testing/app.ts';
import { testStorage } from '../../../api/src/testing/postgres.ts';
import { founderOf, type OrganisationId } from '../../../api/src/tenancy/ids.ts';

const DOCS = readFileSync(join(import.meta.dirname, '../../../docs/bring-your-agent.md'), 'utf8');

/** A report of this machine, which a real sender has sent. */
interface Row {
  hostname: string;
  cpu: number;
  memory: number;
  disk: number;
  receive: number;
  total: number;
  cores: number;
}
const LATEST = `SELECT s.hostname, l.cpu_percent AS cpu, l.memory_percent AS memory, l.disk_percent AS disk,
    l.receive_bytes_per_second AS receive, m.value::float8 AS total, (y.value->>'cpu_cores')::int AS cores
  FROM server s JOIN server_latest l ON l.server_key = s.key
  JOIN server_fact m ON m.server_key = s.key AND m.name = 'memory_total_bytes'
  JOIN server_fact y ON y.server_key = s.key AND y.name = 'system'
  WHERE s.organisation_id = $1 AND l.cpu_percent IS NOT NULL`;

const share: unknown = expect.toSatisfy((value: number) => value >= 0 && value <= 100, 'is a percentage');
/** Figures of this machine by Node. Percentages are 0–100; the CPU of an idle machine may be 0. */
export const MACHINE = {
  cores: cpus().length,
  cpu: share,
  memory: share,
  disk: share,
  receive: expect.any(Number) as unknown,
  total: expect.toSatisfy((bytes: number) => Math.abs(bytes - totalmem()) < 2 ** 20, 'is the memory') as unknown,
};

/** Report interval of these tests in seconds. */
const INTERVAL = 10;

export interface Receiver {
  folder: string;
  /** An account with a token for the sender. Each sender has its own, because all of them send the same machine. */
  newOwner(): Promise<{ organisationId: OrganisationId; tokenFile: string }>;
  /** Returns the block of code below a heading of docs/bring-your-agent.md, with the addresses and files of this test. */
  documented(heading: string, tokenFile: string): string;
  /** Runs the job until a report of the machine has rates. */
  reported(organisationId: OrganisationId): Promise<Row>;
  /** Ends a program after the tests. */
  endLater(child: ChildProcess): void;
}

/** Plimsoll on loopback, on the clock of the machine. */
export function testReceiver(): Receiver {
  const db = testStorage();
  const folder = mkdtempSync('/tmp/plimsoll-senders-');
  const children: ChildProcess[] = [];
  let app: TestApp;
  let api: Listening;
  beforeAll(async () => {
    const settings = { PLIMSOLL_REPORT_INTERVAL_SECONDS: String(INTERVAL) };
    app = testApp(db.storage(), { clock: { now: () => Date.now() }, settings });
    api = await listen(createApp(app.deps).fetch, { host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    for (const child of children) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.kill('SIGKILL')) await ended;
    }
    await api.close();
    rmSync(folder, { recursive: true });
  });
  return {
    folder,
    newOwner: async () => {
      const { organisationId } = await app.newUser();
      const token = newToken('api');
      const entry = { name: 'sender', scopes: ['metrics'] as const, tokenHash: hashToken(token), lastFour: 'abcd' };
      await db
        .storage()
        .identity.apiTokens.replace(founderOf(organisationId), { ...entry, expiresAt: null }, Date.now());
      const tokenFile = join(folder, `token-${organisationId}`);
      writeFileSync(tokenFile, token);
      return { organisationId, tokenFile };
    },
    documented: (heading, tokenFile) => {
      const lines = (DOCS.split(`\n## ${heading}\n`)[1] ?? '').split('\n');
      const begin = lines.findIndex((line) => line.startsWith('    '));
      const end = lines.findIndex((line, index) => index > begin && line !== '' && !line.startsWith('    '));
      return lines
        .slice(begin, end)
        .map((line) => line.slice(4))
        .join('\n')
        .replaceAll('https://plimsoll.example.com', `http://127.0.0.1:${String(api.port)}`)
        .replaceAll(/\/etc\/[a-z]+\/plimsoll-token/g, tokenFile);
    },
    reported: (organisationId) => {
      const job = metricsJobOf(app, { reportIntervalSeconds: INTERVAL, planLimits: null });
      return vi.waitFor(
        async () => {
          await job.run(Date.now());
          const [found] = await db.sql<Row & Record<string, unknown>>(LATEST, [organisationId]);
          if (found === undefined) throw new Error('no report with rates yet');
          return found;
        },
        { timeout: 90_000, interval: 1000 },
      );
    },
    endLater: (child) => void children.push(child),
  };
}

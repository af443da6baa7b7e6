import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { quantile } from '../ingest/load.ts';
import { seedHeartbeats } from './seed.ts';

interface Answer {
  status: number;
  text: string;
  ms: number;
}

/** Each job calls from an address of its own: a network has 50 calls a second. */
const addressOf = (job: number): string => `127.1.${String(job >> 8)}.${String(job & 255)}`;

/** Calls as curl does: a connection for one request. */
const call = (url: string, job: number, body: string): Promise<Answer> =>
  new Promise((resolve) => {
    const begun = performance.now();
    const options = { method: 'POST', localAddress: addressOf(job), agent: false as const, family: 4 };
    const sent = request(url, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, ms: performance.now() - begun }));
    });
    // A connection that is reset is a call that its job sees fail.
    sent.on('error', (error) => resolve({ status: 0, text: error.message, ms: performance.now() - begun }));
    sent.end(body);
  });

const newKey = (): string => randomBytes(32).toString('base64url');
const p = (values: readonly number[], share: number): string =>
  quantile(
    values.toSorted((a, b) => a - b),
    share,
  ).toFixed(1);
const show = (values: readonly number[]): string => `p50 ${p(values, 0.5)} ms, p95 ${p(values, 0.95)} ms`;

/** A statement counts the heartbeats whose last call is not that of the round, and those that are or were down. */
const LOST = `SELECT count(*) FILTER (WHERE heartbeat->'lastCall'->>'output' IS DISTINCT FROM $1)::integer AS lost,
    count(*) FILTER (WHERE fold->>'status' = 'down' OR EXISTS (SELECT FROM check_outage o WHERE o.check_key = s.check_key))::integer AS down
  FROM check_state s WHERE heartbeat IS NOT NULL`;

/** Every job calls once in each minute, at a second of its own. */
async function minutes(url: string, pool: Pool, keys: readonly string[], rounds: number): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const begun = performance.now();
    const output = `round ${String(round)}`;
    const answers = await Promise.all(
      keys.map(async (key, job) => {
        await delay((job * 60_000) / keys.length);
        return call(`${url}/api/heartbeats/${key}`, job, output);
      }),
    );
    const refused = answers.filter(({ status }) => status !== 200).length;
    const { rows } = await pool.query<{ lost: number; down: number }>(LOST, [output]);
    console.log(
      `minute ${String(round)}: ${String(keys.length)} calls, ${show(answers.map(({ ms }) => ms))}; refused or reset ${String(refused)}, not stored ${String(rows[0]?.lost ?? -1)}, down ${String(rows[0]?.down ?? -1)}`,
    );
    await delay(Math.max(0, 60_000 - (performance.now() - begun)));
  }
}

const PROBES = 200;
const BURST = 20;

/** Compares what is refused: its text, and its time in turn. */
async function unknownKeys(url: string, known: string): Promise<void> {
  const kinds: Record<string, () => string> = {
    'an unknown key': () => newKey(),
    'a known key with an ending that is none': () => `${known}/none`,
    'an unknown key with an ending that is none': () => `${newKey()}/none`,
    'a text that cannot be a key': () => 'x'.repeat(43).slice(1),
  };
  const times = new Map<string, number[]>();
  const texts = new Set<string>();
  for (let probe = 0; probe < PROBES; probe += 1)
    for (const [kind, path] of Object.entries(kinds)) {
      const { status, text, ms } = await call(`${url}/api/heartbeats/${path()}`, 60_000 + probe, '');
      texts.add(`${String(status)} ${text}`);
      times.set(kind, [...(times.get(kind) ?? []), ms]);
    }
  for (const [kind, all] of times) console.log(`${kind}: ${show(all)}`);
  console.log(`different answers to these: ${String(texts.size)} (${[...texts].join(' | ').slice(0, 200)})`);
}

/** Calls one key at once: five are taken, the others are refused. */
async function burst(url: string, key: string): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: BURST }, (_, index) => call(`${url}/api/heartbeats/${key}`, 62_000 + index, '')),
  );
  const count = (status: number): number => answers.filter((one) => one.status === status).length;
  console.log(
    `${String(BURST)} calls of one key at once: ${String(count(200))} taken, ${String(count(429))} refused with 429`,
  );
}

/** Prints whether every call of `count` heartbeats is stored, and what a stranger can find out. */
export async function measureHeartbeats(url: string, pool: Pool, count: number, rounds: number): Promise<void> {
  const keys = Array.from({ length: count }, newKey);
  await seedHeartbeats(pool, keys);
  await minutes(url, pool, keys, rounds);
  await unknownKeys(url, keys[0] ?? '');
  await burst(url, keys[1] ?? '');
}

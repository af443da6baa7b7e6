import { expect, test } from 'vitest';
import type { Reply } from '../send/http.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { enrolNode, type NodeEnrolOptions } from './enrol.ts';

const refused: Reply = { kind: 'failed', code: 'ECONNREFUSED' };
const answered = (status: number, body: object, retryAfterSeconds: number | null = null): Reply => ({
  kind: 'answer',
  status,
  body,
  retryAfterSeconds,
});
const enrolledReply = answered(200, { server_id: 's', agent_token: 't', interval: 60 });

/** Enrols against the given replies; the last one repeats. Returns the seconds of each request. */
async function enrolAgainst(replies: Reply[], more: Partial<NodeEnrolOptions> = {}) {
  const clock = fakeClock();
  const start = clock.up();
  const askedAt: number[] = [];
  const enrolled = await enrolNode(
    {
      api: {
        post: () => {
          askedAt.push(clock.up() - start);
          return Promise.resolve((replies.length > 1 ? replies.shift() : replies[0]) ?? refused);
        },
      },
      clusterToken: 'c',
      request: { node_name: 'n', boot_id: 'b', hostname: 'n' },
      known: null,
      clock,
      random: () => 0.999,
      log: () => undefined,
      ...more,
    },
    new AbortController().signal,
  );
  return { enrolled, askedAt };
}
const gaps = (times: number[]): number[] => times.slice(1).map((at, index) => at - (times[index] ?? 0));

test('asks every ten seconds at most while the dashboard of a fresh install comes up', async () => {
  const away = Array.from({ length: 30 }, () => refused);
  const { askedAt } = await enrolAgainst([...away, enrolledReply]);
  const early = gaps(askedAt.filter((at) => at < 120));
  expect(Math.max(...early)).toBeLessThanOrEqual(10);
  expect(early.length).toBeGreaterThanOrEqual(11);
});

test('after two minutes it backs off as every collector does', async () => {
  const away = Array.from({ length: 30 }, () => refused);
  const { askedAt } = await enrolAgainst([...away, enrolledReply]);
  expect(gaps(askedAt).at(-1)).toBeGreaterThan(200);
});

test('waits as long as the server asks', async () => {
  const { askedAt } = await enrolAgainst([answered(429, {}, 40), enrolledReply]);
  expect(askedAt).toEqual([0, 40]);
});

test('goes on with what an earlier start got when the server is away, not when it refuses', async () => {
  const known = { server_id: 'old', agent_token: 'old' };
  expect((await enrolAgainst([refused], { known })).enrolled?.credentials).toBe(known);
  const { enrolled } = await enrolAgainst([answered(401, { code: 'cluster_token_unknown' }), enrolledReply], { known });
  expect(enrolled?.credentials.server_id).toBe('s');
});

test('a demand of no time leaves the backoff between two requests', async () => {
  const { askedAt } = await enrolAgainst([answered(503, {}, 0), answered(429, {}, 0), enrolledReply]);
  const waits = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
  expect(waits).toHaveLength(2);
  for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(1);
});

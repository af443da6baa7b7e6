import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { until } from '../../../e2e/product.ts';
import { connectionOf } from '../../bench/web/fleet.ts';
import { isReady } from '../api-process.ts';
import type { Fault, Verdict } from '../fault.ts';
import { INTERVAL_SECONDS, type Installation, LINGER_MS, startInstallation, type Watched } from './installation.ts';
import { problemsOf, type Truth } from './judge.ts';
import { startTarget, type Target } from './target.ts';

const TWO_INTERVALS_MS = 2 * INTERVAL_SECONDS * 1000;
/** A kill of each place while nothing is wrong. */
const ROUNDS_OF_KILLS = 3;
const KILL_EVERY_MS = 6000;

interface Scene {
  installation: Installation;
  target: Target;
  truths: Truth[];
  /** From three places. Two of them must fail. */
  shop: Watched;
  /** Its target is never broken. */
  steady: Watched;
  /** From the first place alone. */
  lone: Watched;
  counts: { api: number; places: number; pauses: number };
  log: (line: string) => void;
}

/** The target is bad for two intervals at least, while `harm` runs. */
async function outage(scene: Scene, isSeen: boolean, harm: () => Promise<void>): Promise<void> {
  const { target, truths } = scene;
  target.breakDown();
  const truth: Truth = { from: Date.now(), to: null, isSeen };
  truths.push(truth);
  await Promise.all([delay(TWO_INTERVALS_MS), harm()]);
  target.repair();
  truth.to = Date.now();
}

async function killApi(scene: Scene, times: number): Promise<void> {
  const { api } = scene.installation;
  for (let kill = 0; kill < times; kill += 1) {
    await delay(KILL_EVERY_MS);
    process.kill(api.pid(), 'SIGKILL');
    scene.counts.api += 1;
    await until('the API', () => isReady(api.url));
  }
}

async function pause(scene: Scene, places: readonly number[], during: () => Promise<unknown>): Promise<void> {
  const chosen = scene.installation.places.filter((_, index) => places.includes(index));
  for (const place of chosen) place.signal('SIGSTOP');
  scene.counts.pauses += chosen.length;
  await during();
  for (const place of chosen) place.signal('SIGCONT');
}

async function killPlaces({ installation, counts }: Scene): Promise<void> {
  for (let round = 0; round < ROUNDS_OF_KILLS; round += 1)
    for (const place of installation.places) {
      await delay(KILL_EVERY_MS);
      await place.restart();
      counts.places += 1;
    }
}

async function wholeRun(scene: Scene): Promise<void> {
  const { installation, shop, lone, log } = scene;
  const recovered = () => Promise.all([installation.becomes(shop, 'up'), installation.becomes(lone, 'up')]);
  log('outage while the API is killed');
  await outage(scene, true, () => killApi(scene, 4));
  await recovered();
  log('kills of the places');
  await killPlaces(scene);
  await recovered();
  log('outage while one of three places is paused');
  await pause(scene, [2], () => outage(scene, true, async () => undefined));
  await recovered();
  log('two of three places are paused: nobody can say');
  await pause(scene, [0, 1], () => installation.becomes(shop, 'unknown'));
  await recovered();
  log('outage that one of three places sees');
  await pause(scene, [0, 1], () =>
    outage(scene, false, async () => void (await installation.becomes(shop, 'unknown'))),
  );
  await recovered();
}

/** Results that are stored more than once, of all. */
const TWICE = `SELECT count(*)::integer AS results, (count(*) - count(DISTINCT (c.key, r.place_key, r.ts, c.age)))::integer AS twice
  FROM check_result r CROSS JOIN LATERAL unnest(r.check_keys, r.ages) AS c(key, age)`;

async function verdictOf({ installation, truths, shop, steady, lone, counts }: Scene): Promise<Verdict> {
  const pool = new Pool({ ...connectionOf(installation.api.dataDir), max: 1 });
  const { rows } = await pool.query<{ results: number; twice: number }>(TWICE);
  await pool.end();
  const { results = 0, twice = 0 } = rows[0] ?? {};
  const unseen = truths.map((truth) => ({ ...truth, isSeen: false }));
  const judged = [
    { check: shop, truths },
    { check: steady, truths: [] },
    // Its place was killed or paused: it may miss any of them.
    { check: lone, truths: unseen },
  ];
  const problems = twice > 0 ? [`${String(twice)} results were stored twice`] : [];
  let answers = 0;
  for (const { check, truths: own } of judged) {
    const outages = await installation.outagesOf(check);
    problems.push(...problemsOf(check.name, { truths: own, outages, samples: check.samples }, LINGER_MS));
    answers += check.samples.length;
  }
  const seen = truths.filter(({ isSeen }) => isSeen).length;
  const figures = [
    `${String(counts.api)} kills of the API, ${String(counts.places)} of places, ${String(counts.pauses)} pauses`,
    `${String(seen)} outages of two intervals that two places could see, ${String(truths.length - seen)} that one could`,
    `${String(results)} results, ${String(twice)} stored twice; ${String(answers)} answers looked at`,
    problems.length === 0 ? 'no outage false, none missed, no gap without a reason' : problems.join('; '),
  ];
  return { isHeld: problems.length === 0, figures: figures.join('; ') };
}

/** Real collectors run checks while they, and the API, are killed and paused. */
export const checks: Fault = {
  name: 'checks',
  does: 'checks of three collectors: kill −9 of the API in an outage, of the collectors, and SIGSTOP of one and two of them',
  minutes: 8,
  run: async ({ isQuick, log }) => {
    const installation = await startInstallation();
    const [target, other] = [await startTarget(), await startTarget()];
    try {
      const { places } = installation;
      const scene: Scene = {
        installation,
        target,
        truths: [],
        shop: await installation.watch('shop', target.url, places),
        steady: await installation.watch('steady', other.url, places),
        lone: await installation.watch('lone', target.url, places.slice(0, 1)),
        counts: { api: 0, places: 0, pauses: 0 },
        log,
      };
      await Promise.all([scene.shop, scene.steady, scene.lone].map((check) => installation.becomes(check, 'up')));
      if (isQuick)
        await outage(scene, true, async () => {
          await killApi(scene, 1);
          await installation.becomes(scene.shop, 'down');
        });
      else await wholeRun(scene);
      return await verdictOf(scene);
    } finally {
      await installation.remove();
      for (const one of [target, other]) one.close();
    }
  },
};

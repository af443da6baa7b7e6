import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../../e2e/product.ts';
import { isReady, signIn } from '../api-process.ts';
import type { Fault, Verdict } from '../fault.ts';
import { startCollectors } from '../load.ts';
import { acknowledgedIn, judge, storedIn } from '../oracle.ts';
import { alertsIn, deliveriesOf, doubledOf, judgeAlerts } from './alerts.ts';
import { misplacedIn } from './sample-times.ts';
import { openBrowsers, type Browsers } from './browsers.ts';
import { guessPassword } from './guesses.ts';
import { enrolFleet, setFleet, startInstallation, watchCpu, type Installation } from './installation.ts';
import { watchLeaders } from './leader.ts';
import type { Replica } from './replica.ts';

interface Scale {
  servers: number;
  reportSeconds: number;
  /** Time in which nothing is done. */
  calmMs: number;
  pauseMs: number;
  leadersKilled: number;
  /** Time with a clock that is off. */
  clockMs: number;
  /** Servers whose CPU becomes busy before each harm. */
  busyServers: number;
  /** Servers that go silent before a clock is set wrong. */
  silentServers: number;
}
const SCALES: Record<'quick' | 'whole', Scale> = {
  quick: {
    servers: 200,
    reportSeconds: 5,
    calmMs: 5_000,
    pauseMs: 25_000,
    leadersKilled: 1,
    clockMs: 30_000,
    busyServers: 5,
    silentServers: 3,
  },
  whole: {
    servers: 5000,
    reportSeconds: 60,
    calmMs: 60_000,
    pauseMs: 60_000,
    leadersKilled: 3,
    clockMs: 150_000,
    busyServers: 30,
    silentServers: 10,
  },
};
const SESSIONS = 6;
const STREAMS_A_SESSION = 10;
const CLOCK_OFFSET_SECONDS = 300;
/** A browser is back within this time after any harm. */
const RECONNECT_MS = 5000;
/** A hung leader keeps the lock of a job for this long at most. */
const LEADER_MS = 20_000;
/** A process that was killed is started again after this time. */
const RESTART_MS = 5000;
/** The last report of a server that goes silent arrives within this time, unless a harm delays it. */
const LAST_REPORT_MS = 10_000;
/** A stream of a fleet that reports receives events within this time. */
const EVENT_MS = 10_000;
/** An alert is delivered within this time: two reports, the wait for its group, and a lease that ran out. */
const DELIVERY_SECONDS = 300;

/** Kills, hangs and restarts replicas, and sets a clock wrong, while a fleet reports through HAProxy. */
export const replicas: Fault = {
  name: 'replicas',
  does: 'three replicas behind HAProxy on one PostgreSQL, 5,000 servers: one killed with −9, the holder of the lock of a job stopped for 60 s, 3 such holders killed, all restarted in turn, the clock of one 5 min fast, then 5 min slow',
  minutes: 15,
  programs: ['haproxy', 'faketime'],
  run: async ({ isQuick, log }) => {
    const scale = SCALES[isQuick ? 'quick' : 'whole'];
    const installation = await startInstallation(scale.reportSeconds);
    let isHeld = false;
    try {
      const verdict = await harm(installation, scale, log);
      isHeld = verdict.isHeld;
      return verdict;
    } finally {
      if (!isHeld) log(`the logs of the replicas are kept in ${installation.folder}`);
      await installation.remove(!isHeld);
    }
  },
};

/** The parts of a run that each harm needs. */
interface Run {
  installation: Installation;
  browsers: Browsers;
  scale: Scale;
  log: (line: string) => void;
  /** Makes more servers busy, and some silent. */
  change: (more: { busy?: number; silent?: number }) => void;
}

async function harm(installation: Installation, scale: Scale, log: (line: string) => void): Promise<Verdict> {
  const { proxy, webhooks, connection } = installation;
  const folder = join(installation.folder, 'load');
  mkdirSync(folder);
  const agents = await enrolFleet(proxy.url, scale.servers);
  writeFileSync(join(folder, 'agents.json'), JSON.stringify(agents));
  await watchCpu(proxy.url, webhooks.url);
  log(`${String(agents.length)} servers are enrolled`);
  const tokens = await Promise.all(Array.from({ length: SESSIONS }, () => signIn(proxy.url)));
  const collectors = startCollectors(folder, proxy.url, scale.reportSeconds);
  const browsers = openBrowsers(proxy.url, tokens, STREAMS_A_SESSION);
  const fleet = { busy: 0, silent: 0 };
  const change: Run['change'] = ({ busy = scale.busyServers, silent = 0 }) => {
    fleet.busy += busy;
    fleet.silent += silent;
    setFleet(folder, fleet);
  };
  const bodies = (): string[] => webhooks.received.map(({ body }) => body);
  const toldOf = (state: string): number =>
    new Set(deliveriesOf(bodies()).flatMap((one) => (one.state === state ? [one.alertId] : []))).size;
  const due = (): number => fleet.busy + fleet.silent;
  try {
    const run: Run = { installation, browsers, scale, log, change };
    await settle(run);
    const guesses = await guessPassword(proxy.url);
    log(`${String(guesses.tested)} of ${String(guesses.total)} guesses of a password were tested`);
    await delay(scale.calmMs);
    await killOne(run);
    const hungMs = await pauseLeader(run);
    await killLeaders(run);
    await restartInTurn(run);
    await setClocks(run);
    const missing = browsers.total - browsers.alive(EVENT_MS);
    await untilOr(() => toldOf('firing') >= due());
    log(`${String(toldOf('firing'))} of ${String(due())} alerts are delivered`);
    setFleet(folder, { busy: 0, silent: 0 });
    await untilOr(() => toldOf('resolved') >= due());
    await collectors.end('SIGTERM');
    const busy = agents.slice(0, fleet.busy).map(({ serverId }) => ({ serverId, metric: 'cpu_usage' }));
    const silent = agents.slice(agents.length - fleet.silent).map(({ serverId }) => ({ serverId, metric: 'offline' }));
    const reports = judge(acknowledgedIn(folder), await storedIn(connection));
    const stored = await alertsIn(connection);
    for (const line of doubledOf(stored)) log(`opened more than once: ${line}`);
    const alerts = judgeAlerts([...busy, ...silent], stored, deliveriesOf(bodies()));
    const misplaced = await misplacedIn(connection, scale.reportSeconds, silent);
    const longest = Math.max(0, ...browsers.breaks);
    const isBack = missing === 0 && longest <= RECONNECT_MS;
    const isLeft = hungMs !== null && hungMs <= LEADER_MS;
    const isLimited = guesses.tested <= guesses.allowed;
    return {
      isHeld: reports.isHeld && alerts.isHeld && isBack && isLeft && isLimited && misplaced === 0,
      figures: [
        reports.figures,
        `${String(misplaced)} samples at a wrong time`,
        `${String(due())} alerts due: ${String(alerts.lost)} lost, ${String(alerts.doubled)} doubled, ${String(alerts.untrue)} untrue; of their ${String(due() * 2)} messages ${String(alerts.undelivered)} lost, ${String(alerts.deliveredAgain)} doubled`,
        `${String(browsers.breaks.length)} event streams broke, the longest for ${(longest / 1000).toFixed(1)} s; ${String(missing)} of ${String(browsers.total)} without events at the end`,
        `${String(guesses.tested)} of ${String(guesses.total)} guesses of a password were tested, ${String(guesses.allowed)} are allowed`,
        `the lock of a hung replica lasted ${hungMs === null ? 'until it went on' : `${(hungMs / 1000).toFixed(1)} s`}`,
      ].join('; '),
    };
  } finally {
    await browsers.stop();
    await collectors.end('SIGKILL');
  }
}

/** Waits for something that a fault may have prevented; the oracle then finds what is missing. */
const untilOr = (probe: () => boolean): Promise<unknown> =>
  until('the deliveries', probe, DELIVERY_SECONDS).catch(() => undefined);

/** Waits until every replica is ready and every stream is open. */
async function settle({ installation, browsers, log }: Run): Promise<void> {
  for (const { name, port } of installation.replicas)
    await until(name, () => isReady(`http://127.0.0.1:${String(port)}`), 120);
  await until('the event streams', () => browsers.open() === browsers.total, 120);
  log(`${String(browsers.total)} streams are open, ${String(browsers.breaks.length)} broke so far`);
}

async function killOne(run: Run): Promise<void> {
  const [replica] = run.installation.replicas;
  if (replica !== undefined) await kill(run, replica);
}

async function kill(run: Run, replica: Replica): Promise<void> {
  run.change({});
  run.log(`kill −9 of ${replica.name}`);
  run.browsers.harm(replica.name);
  await replica.end('SIGKILL');
  await delay(RESTART_MS);
  await replica.start();
  await settle(run);
}

/** Returns how long the lock of a hung leader lasted; null: as long as it hung. */
async function pauseLeader(run: Run): Promise<number | null> {
  const { installation, browsers, scale, log } = run;
  run.change({});
  const leaders = await watchLeaders(installation.connection);
  try {
    const { replica, lock } = await leaders.pauseOne(installation.replicas);
    browsers.harm(replica.name);
    const begun = performance.now();
    log(`SIGSTOP of ${replica.name}, which holds lock ${lock}`);
    const hungMs = await leaders.untilLost(replica, lock, scale.pauseMs);
    await delay(Math.max(0, begun + scale.pauseMs - performance.now()));
    replica.signal('SIGCONT');
    log(`SIGCONT of ${replica.name}`);
    await settle(run);
    return hungMs;
  } finally {
    await leaders.end();
  }
}

async function killLeaders(run: Run): Promise<void> {
  const leaders = await watchLeaders(run.installation.connection);
  try {
    for (let count = 0; count < run.scale.leadersKilled; count += 1) {
      const { replica } = await leaders.pauseOne(run.installation.replicas);
      await kill(run, replica);
    }
  } finally {
    await leaders.end();
  }
}

async function restartInTurn(run: Run): Promise<void> {
  run.change({});
  for (const replica of run.installation.replicas) {
    run.log(`restart of ${replica.name}`);
    run.browsers.harm(replica.name);
    await replica.end('SIGTERM');
    await replica.start();
    await settle(run);
  }
}

/** The last replica gets a clock that is fast, then one that is slow, then the right one again. */
async function setClocks(run: Run): Promise<void> {
  const replica = run.installation.replicas.at(-1);
  if (replica === undefined) return;
  run.change({ busy: 0, silent: run.scale.silentServers });
  // A last report that a restart delays would be a sign of life after the offline alert, and end it.
  await delay(LAST_REPORT_MS);
  for (const offset of [CLOCK_OFFSET_SECONDS, -CLOCK_OFFSET_SECONDS, 0]) {
    run.change({});
    run.log(`the clock of ${replica.name} is off by ${String(offset)} s`);
    run.browsers.harm(replica.name);
    await replica.end('SIGTERM');
    await replica.start(offset);
    await settle(run);
    if (offset !== 0) await delay(run.scale.clockMs);
  }
}

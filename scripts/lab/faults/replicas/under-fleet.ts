import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../../e2e/product.ts';
import { signIn } from '../api-process.ts';
import type { Verdict } from '../fault.ts';
import { startCollectors } from '../load.ts';
import { acknowledgedIn, judge, storedIn } from '../oracle.ts';
import { openBrowsers } from './browsers.ts';
import { enrolFleet, type Installation } from './installation.ts';

const BROWSERS = 20;
const CALM_MS = 20_000;
const LOOK_MS = 100;

export interface Fleet {
  /** Reports that were acknowledged until now. */
  acknowledged(): number;
  /** Returns the longest time without an acknowledgement while `act` runs, in milliseconds. */
  longestPause(act: () => Promise<void>): Promise<number>;
}

interface Under {
  installation: Installation;
  servers: number;
  reportSeconds: number;
  log: (line: string) => void;
}

/**
 * Does harm while a fleet reports and browsers hold event streams. Held: the harm's own verdict, no report lost or doubled,
 * and every stream alive at the end.
 */
export async function underFleet(
  { installation, servers, reportSeconds, log }: Under,
  harm: (fleet: Fleet) => Promise<Verdict>,
): Promise<Verdict> {
  const { proxy } = installation;
  const folder = join(installation.folder, 'load');
  mkdirSync(folder);
  writeFileSync(join(folder, 'agents.json'), JSON.stringify(await enrolFleet(proxy.url, servers)));
  log(`${String(servers)} servers are enrolled`);
  const browsers = openBrowsers(proxy.url, [await signIn(proxy.url)], BROWSERS);
  const collectors = startCollectors(folder, proxy.url, reportSeconds);
  const acknowledged = (): number => acknowledgedIn(folder).length;
  const longestPause: Fleet['longestPause'] = async (act) => {
    let [count, since, longest] = [acknowledged(), performance.now(), 0];
    const timer = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - since);
      const seen = acknowledged();
      if (seen > count) [count, since] = [seen, now];
    }, LOOK_MS);
    try {
      await act();
    } finally {
      clearInterval(timer);
    }
    return longest;
  };
  try {
    await until('acknowledgements', () => acknowledged() > servers, 120);
    await delay(CALM_MS);
    const verdict = await harm({ acknowledged, longestPause });
    const alive = (): number => browsers.alive(reportSeconds * 1000);
    await until('the event streams', () => alive() === browsers.total, 60).catch(() => undefined);
    const silent = browsers.total - alive();
    await collectors.end('SIGTERM');
    const reports = judge(acknowledgedIn(folder), await storedIn(installation.connection));
    return {
      isHeld: verdict.isHeld && reports.isHeld && silent === 0,
      figures: `${reports.figures}; ${verdict.figures}; ${String(silent)} of ${String(browsers.total)} event streams without events at the end`,
    };
  } finally {
    await browsers.stop();
    await collectors.end('SIGKILL');
  }
}

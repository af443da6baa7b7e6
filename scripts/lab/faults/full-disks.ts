import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../e2e/product.ts';
import { enrolAgents, startApi } from './api-process.ts';
import type { Fault, Verdict } from './fault.ts';
import { startCollectors } from './load.ts';
import { acknowledgedIn, judge, readStored } from './oracle.ts';
import { missingSmallDisk, mountSmallDisk, type SmallDisk } from './small-disk.ts';

const AGENTS = 20;
/** An empty database takes about 70 MiB, its log 80 more. */
const DATABASE_MIB = 512;
/** A collector leaves 64 MiB of a disk free, and keeps further reports in memory. */
const SPOOL_MIB = 128;
const ROUNDS = 3;
/** Less than the minute of reports that a collector holds in memory. */
const FULL_MS = 20_000;
/** Mean of all servers after the kill: reports that the disk did not take, one a second. Some may still hold a few then. */
const BACKLOG = 30;
/** Collectors come back within a minute at most; a database that ended is recovered first. */
const RECOVERY_SECONDS = 90;
const PROGRESS_SECONDS = 120;

/** Fills the disk of the database, and that of the spools, while reports come in. */
export const fullDisks: Fault = {
  name: 'full-disks',
  does: 'the disk of the database is filled to the last byte 3 times for 20 s, then that of the spools 3 times, while the API is away; when it is back, the collectors are killed with the disk still full',
  minutes: 3,
  missing: missingSmallDisk,
  run: async ({ isQuick, log }) => {
    const disks = { database: mountSmallDisk(DATABASE_MIB), spools: mountSmallDisk(SPOOL_MIB) };
    // The log of acknowledgements is not on a small disk: a full one would cut it.
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-load-'));
    try {
      return await fillBoth(disks, folder, isQuick ? 1 : ROUNDS, log);
    } finally {
      for (const disk of Object.values(disks)) disk.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

type Log = (line: string) => void;

async function fillBoth(
  disks: { database: SmallDisk; spools: SmallDisk },
  folder: string,
  rounds: number,
  log: Log,
): Promise<Verdict> {
  const dataDir = join(disks.database.folder, 'data');
  mkdirSync(dataDir, { mode: 0o711 });
  const api = await startApi({ PLIMSOLL_REPORT_INTERVAL_SECONDS: '1', PLIMSOLL_DATA_DIR: dataDir });
  const agents = await enrolAgents(api.url, AGENTS);
  writeFileSync(join(folder, 'agents.json'), JSON.stringify(agents));
  linkSpools(
    folder,
    agents.map(({ serverId }) => serverId),
    disks.spools,
  );
  let collectors = startCollectors(folder, api.url);
  try {
    const recoveries: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await progress(folder);
      disks.database.fill();
      await delay(FULL_MS);
      disks.database.empty();
      recoveries.push(await progress(folder));
      log(
        `the disk of the database was full for the ${String(round)}. time; reports were taken ${(recoveries.at(-1) ?? 0).toFixed(1)} s later`,
      );
    }
    for (let round = 1; round <= rounds; round += 1) {
      await progress(folder);
      await api.halt();
      disks.spools.fill();
      await delay(FULL_MS);
      await api.start();
      // Reports that waited in memory are on their way.
      await progress(folder);
      await collectors.end('SIGKILL');
      collectors = startCollectors(folder, api.url);
      await progress(folder, BACKLOG);
      disks.spools.empty();
      log(`the disk of the spools was full for the ${String(round)}. time, and the collectors were killed meanwhile`);
    }
    await progress(folder);
    await collectors.end('SIGTERM');
    await api.halt();
    const verdict = judge(acknowledgedIn(folder), await readStored(dataDir));
    const longest = Math.max(...recoveries);
    return {
      isHeld: verdict.isHeld && longest <= RECOVERY_SECONDS,
      figures: `${verdict.figures}; reports were taken at most ${longest.toFixed(1)} s after the disk of the database had room again`,
    };
  } finally {
    await collectors.end('SIGKILL');
    await api.remove();
  }
}

/** Waits until so many more reports of each server are acknowledged. Returns the seconds. */
async function progress(folder: string, each = 1): Promise<number> {
  const [begun, before] = [performance.now(), acknowledgedIn(folder).length];
  await until('acknowledgements', () => acknowledgedIn(folder).length >= before + each * AGENTS, PROGRESS_SECONDS);
  return (performance.now() - begun) / 1000;
}

/** Puts the spool of each server on the small disk. */
function linkSpools(folder: string, servers: readonly string[], { folder: disk }: SmallDisk): void {
  for (const server of servers) {
    mkdirSync(join(disk, server), { mode: 0o700 });
    symlinkSync(join(disk, server), join(folder, server));
  }
}

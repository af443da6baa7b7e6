import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApi } from './api-process.ts';
import type { Fault } from './fault.ts';
import { startLoad } from './load.ts';

const AGENTS = 20;
const ROUNDS = 60;
/** Each so many rounds the API is down, so that the spools hold more than a report. */
const OUTAGE_EVERY = 5;
const OUTAGE_MS = 5000;
/** Spools that are damaged each round. */
const DAMAGED = 5;

/** Numbers that are the same in every run (Lehmer's generator with the multiplier of MINSTD). */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Flips a bit of a spool file, or makes its end zeros as a file system does with blocks that it had not written yet. */
function damage(folder: string, below: (limit: number) => number): void {
  const files = globSync('*/*.seg', { cwd: folder }).toSorted();
  for (let index = 0; index < DAMAGED && files.length > 0; index += 1) {
    const file = join(folder, files[below(files.length)] ?? '');
    const content = readFileSync(file);
    if (content.length === 0) continue;
    const at = below(content.length);
    if (below(3) === 0) content.fill(0, at);
    else content[at] = (content[at] ?? 0) ^ (1 << below(8));
    writeFileSync(file, content);
  }
}

/** Kills the collectors and damages their spools while they report to a real API that is sometimes down. */
export const spool: Fault = {
  name: 'spool',
  does: 'kill −9 of the collectors 60 times; each time bits of 5 spools are flipped or their ends become zeros; 12 outages of the API',
  minutes: 5,
  run: async ({ isQuick, log }) => {
    const api = await startApi({ PLIMSOLL_REPORT_INTERVAL_SECONDS: '1' });
    const load = await startLoad(api, AGENTS);
    const below = sequence(7);
    try {
      for (let round = 0; round < (isQuick ? 5 : ROUNDS); round += 1) {
        await load.progress(AGENTS);
        const isOutage = round % OUTAGE_EVERY === 0;
        if (isOutage) {
          await api.halt('SIGKILL');
          await new Promise((next) => setTimeout(next, OUTAGE_MS));
        }
        await load.restart(() => damage(load.folder, below));
        if (isOutage) await api.start();
        if (round % 10 === 9) log(`${String(round + 1)} kills, ${String(load.acknowledged().length)} acknowledged`);
      }
      await load.progress(AGENTS);
      return await load.verdict();
    } finally {
      await load.stop();
      await api.remove();
    }
  },
};

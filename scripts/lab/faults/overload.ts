import { setTimeout as delay } from 'node:timers/promises';
import { startApi } from './api-process.ts';
import { limitCpu, missingCpuLimit, type CpuLimit } from './cpu-limit.ts';
import type { Fault, Verdict } from './fault.ts';
import { startLoad, type Load } from './load.ts';
import { describeProbe, startProbe, type Probed } from './probe.ts';
import { processTree, residentBytes } from './process-memory.ts';

const SERVERS = 100;
/** As many as a collector sends, so that a report costs what it does in real use, also in a batch. */
const PROCESSES = 100;
/** Reports that come in for each that is taken. */
const OVERLOAD = 3;
const FIRST_CORES = 0.2;
/** The limit of the processors becomes smaller by this until so little is acknowledged. */
const STEP = 0.8;
const LOOK_MS = 10_000;
/** With one limit: what has to wait comes in larger batches, which cost less, and ends an overload that was too small. */
const LOOKS = 6;
const QUICK_LOOKS = 3;
/** Below the least that control groups give, which is reached before. */
const MOST_LOOKS = 60;
/** Measured with reports of 24 KB. The API holds up to 16 MiB of reports until they are stored. The chart gives it 1 GiB. */
const GROWTH_MIB = 512;
/** The reports that had to wait arrive within this time once the processors are free. */
const BACKLOG_SECONDS = 60;

/** Takes processors away from the database until three times as many reports come in as it stores. */
export const overload: Fault = {
  name: 'overload',
  does: '100 servers report each second, with 100 processes each, and the database gets less and less of the processors until two of three reports have to wait, a minute long',
  minutes: 5,
  missing: missingCpuLimit,
  run: async ({ isQuick, log }) => {
    const api = await startApi({ PLIMSOLL_REPORT_INTERVAL_SECONDS: '1' });
    const load = await startLoad(api, SERVERS, { processes: PROCESSES });
    const limit = limitCpu(processTree(api.postmaster()));
    try {
      await load.progress(SERVERS * 2);
      const before = residentBytes(api.pid());
      const probe = startProbe(`${api.url}/healthz`);
      const squeezed = await squeeze(limit, load, isQuick ? QUICK_LOOKS : LOOKS, log);
      const most = residentBytes(api.pid());
      const probed = await probe.stop();
      limit.set(null);
      const lifted = performance.now();
      const verdict = await load.verdict();
      const seconds = (performance.now() - lifted) / 1000;
      return judgeOverload(verdict, { ...squeezed, grownMib: (most - before) / 2 ** 20, seconds, probed });
    } finally {
      limit.remove();
      await load.stop();
      await api.remove();
    }
  },
};

interface Squeezed {
  cores: number;
  /** The overload lasted. */
  isOver: boolean;
  overMs: number;
  /** Reports acknowledged during the overload. */
  taken: number;
}

/**
 * Makes the limit smaller until no more than a third is taken in `looks` looks together. A database that is this slow
 * commits large batches seconds apart, so that one look may see none or two of them.
 */
async function squeeze(limit: CpuLimit, load: Load, looks: number, log: (line: string) => void): Promise<Squeezed> {
  let cores = FIRST_CORES;
  limit.set(cores);
  let over: number[] = [];
  const taken = (): number => over.reduce((sum, each) => sum + each, 0);
  const third = (SERVERS * LOOK_MS) / 1000 / OVERLOAD;
  for (let look = 0; look < MOST_LOOKS && over.length < looks; look += 1) {
    const before = load.acknowledged().length;
    await delay(LOOK_MS);
    const now = load.acknowledged().length - before;
    log(`with ${cores.toFixed(3)} of one core ${String(now)} reports were taken in ${String(LOOK_MS / 1000)} s`);
    over.push(now);
    if (now <= 2 * third && taken() <= looks * third) continue;
    over = [];
    cores *= STEP;
    limit.set(cores);
  }
  return { cores, isOver: over.length === looks, overMs: over.length * LOOK_MS, taken: taken() };
}

interface Overloaded extends Squeezed {
  grownMib: number;
  /** From the end of the overload until every report had arrived and the API had ended. */
  seconds: number;
  /** Answers of /healthz until the end of the overload. */
  probed: Probed;
}

function judgeOverload(verdict: Verdict, overloaded: Overloaded): Verdict {
  const { cores, isOver, overMs, taken, grownMib, seconds, probed } = overloaded;
  const offered = (SERVERS * overMs) / 1000;
  const isAlive = taken > 0 && probed.failures === 0 && grownMib <= GROWTH_MIB;
  return {
    isHeld: verdict.isHeld && isOver && isAlive && seconds <= BACKLOG_SECONDS,
    figures: `${verdict.figures}; with ${cores.toFixed(3)} of one core ${String(taken)} of ${String(offered)} reports were taken in ${String(overMs / 1000)} s, and the API grew by ${grownMib.toFixed(0)} MiB; /healthz meanwhile: ${describeProbe(probed)}; the others arrived within ${seconds.toFixed(1)} s afterwards`,
  };
}

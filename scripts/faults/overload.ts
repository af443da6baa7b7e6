import { setTimeout as delay } from 'node:timers/promises';
import { startApi } from './api-process.ts';
import { limitCpu, missingCpuLimit } from './cpu-limit.ts';
import type { Fault, Verdict } from './fault.ts';
import { startLoad, type Load } from './load.ts';
import { describeProbe, startProbe, type Probed } from './probe.ts';
import { processTree, residentBytes } from './process-memory.ts';

const SERVERS = 200;
/** Reports that come in for each that can be taken. */
const OVERLOAD = 3;
const FIRST_CORES = 0.2;
/** The limit of the processors becomes smaller by this until so little is acknowledged. */
const STEP = 0.85;
const LOOK_MS = 10_000;
/** An API that is overloaded refuses what it cannot take, and does not collect it. */
const GROWTH_MIB = 128;
/** The reports that had to wait arrive within this time once the processors are free. */
const BACKLOG_SECONDS = 60;

/** Gives the database so little of the processors that three times as many reports come in as it can take. */
export const overload: Fault = {
  name: 'overload',
  does: '200 servers report each second, and the database gets so little of the processors that it can store a third of that',
  minutes: 4,
  missing: missingCpuLimit,
  run: async ({ isQuick, log }) => {
    const api = await startApi({ PLIMSOLL_REPORT_INTERVAL_SECONDS: '1' });
    const load = await startLoad(api, SERVERS);
    const limit = limitCpu(processTree(api.postmaster()));
    try {
      await load.progress(SERVERS * 2);
      const before = residentBytes(api.pid());
      let cores = FIRST_CORES;
      limit.set(cores);
      while ((await acknowledgedIn(LOOK_MS, load)) * OVERLOAD > (SERVERS * LOOK_MS) / 1000) {
        cores *= STEP;
        limit.set(cores);
        log(`the database gets ${cores.toFixed(3)} of one core`);
      }
      const probe = startProbe(`${api.url}/healthz`);
      const overMs = isQuick ? LOOK_MS : 60_000;
      const taken = await acknowledgedIn(overMs, load);
      const most = residentBytes(api.pid());
      const probed = await probe.stop();
      limit.set(null);
      const lifted = performance.now();
      const verdict = await load.verdict();
      const seconds = (performance.now() - lifted) / 1000;
      return judgeOverload(verdict, { cores, overMs, taken, grownMib: (most - before) / 2 ** 20, seconds, probed });
    } finally {
      limit.remove();
      await load.stop();
      await api.remove();
    }
  },
};

async function acknowledgedIn(milliseconds: number, load: Load): Promise<number> {
  const before = load.acknowledged().length;
  await delay(milliseconds);
  return load.acknowledged().length - before;
}

interface Overloaded {
  cores: number;
  overMs: number;
  /** Reports acknowledged during the overload. */
  taken: number;
  grownMib: number;
  /** From the end of the overload until every report had arrived and the API had ended. */
  seconds: number;
  /** Answers of /healthz during the overload. */
  probed: Probed;
}

function judgeOverload(verdict: Verdict, { cores, overMs, taken, grownMib, seconds, probed }: Overloaded): Verdict {
  const offered = (SERVERS * overMs) / 1000;
  const isAlive = taken > 0 && probed.failures === 0 && grownMib <= GROWTH_MIB;
  return {
    isHeld: verdict.isHeld && isAlive && seconds <= BACKLOG_SECONDS,
    figures: `${verdict.figures}; with ${cores.toFixed(3)} of one core ${String(taken)} of ${String(offered)} reports were taken in ${String(overMs / 1000)} s, and the API grew by ${grownMib.toFixed(0)} MiB; /healthz meanwhile: ${describeProbe(probed)}; the others arrived within ${seconds.toFixed(1)} s afterwards`,
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import { startApi } from './api-process.ts';
import { limitCpu, missingCpuLimit, type CpuLimit } from './cpu-limit.ts';
import type { Fault, Verdict } from './fault.ts';
import { startLoad, type Load } from './load.ts';
import { describeProbe, startProbe, type Probed } from './probe.ts';
import { processTree, residentBytes } from './process-memory.ts';

const SERVERS = 200;
/** Reports that come in for each that is taken. */
const OVERLOAD = 3;
const FIRST_CORES = 0.1;
/** The limit of the processors becomes smaller by this until so little is acknowledged. */
const STEP = 0.85;
const LOOK_MS = 10_000;
/** An API that is overloaded refuses what it cannot take, and does not collect it. */
const GROWTH_MIB = 128;
/** The reports that had to wait arrive within this time once the processors are free. */
const BACKLOG_SECONDS = 60;

/** Takes processors away from the database until three times as many reports come in as it stores. */
export const overload: Fault = {
  name: 'overload',
  does: '200 servers report each second, and the database gets less and less of the processors until two of three reports have to wait; a minute of this',
  minutes: 3,
  missing: missingCpuLimit,
  run: async ({ isQuick, log }) => {
    const api = await startApi({ PLIMSOLL_REPORT_INTERVAL_SECONDS: '1' });
    const load = await startLoad(api, SERVERS);
    const limit = limitCpu(processTree(api.postmaster()));
    try {
      await load.progress(SERVERS * 2);
      const before = residentBytes(api.pid());
      const squeeze = squeezed(limit, load, log);
      while (!(await squeeze.look()).isOver);
      const probe = startProbe(`${api.url}/healthz`);
      const looks = isQuick ? 1 : 6;
      let taken = 0;
      for (let look = 0; look < looks; look += 1) taken += (await squeeze.look()).taken;
      const most = residentBytes(api.pid());
      const probed = await probe.stop();
      limit.set(null);
      const lifted = performance.now();
      const verdict = await load.verdict();
      const seconds = (performance.now() - lifted) / 1000;
      const [cores, overMs] = [squeeze.cores(), looks * LOOK_MS];
      return judgeOverload(verdict, { cores, overMs, taken, grownMib: (most - before) / 2 ** 20, seconds, probed });
    } finally {
      limit.remove();
      await load.stop();
      await api.remove();
    }
  },
};

/** Makes the limit smaller whenever more than a third was taken: what had to wait comes in larger batches, which cost less. */
function squeezed(limit: CpuLimit, load: Load, log: (line: string) => void) {
  let cores = FIRST_CORES;
  limit.set(cores);
  return {
    cores: () => cores,
    /** Waits a while, and returns the reports that were taken meanwhile. */
    look: async (): Promise<{ taken: number; isOver: boolean }> => {
      const before = load.acknowledged().length;
      await delay(LOOK_MS);
      const taken = load.acknowledged().length - before;
      const isOver = taken * OVERLOAD <= (SERVERS * LOOK_MS) / 1000;
      if (!isOver) {
        cores *= STEP;
        limit.set(cores);
        log(`the database gets ${cores.toFixed(3)} of one core`);
      }
      return { taken, isOver };
    },
  };
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

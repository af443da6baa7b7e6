import { parseArgs } from 'node:util';
import { addValue, encodeHistogram, type Histogram, LEAST } from '../../../api/src/capacity/histogram.ts';
import { DEFAULT_ADVICE } from '../../../api/src/capacity/advice.ts';
import { sizeContainers } from '../../../api/src/capacity/sizing.ts';
import type { ContainerDay } from '../../../api/src/capacity/types.ts';
import { generateUsage, type Workload } from './generate-usage.ts';

const usage = `Usage: node scripts/lab/usage/main.ts [--seed N] [--workloads N]
Back-test of the advice on requests and limits: advice from weeks 1 to 3 of generated usage, judged in week 4, beside two
common rules. The generator was written by somebody who had not read the advice.
  --seed N       seed of the usage (default 1)
  --workloads N  (default 200)
Exit 0 unless another rule is better in everything: then 1.`;

const STEPS_A_DAY = 288;
const TRAINED_DAYS = 21;
const HEAD = { namespace: 'n', kind: 'Deployment', container: 'c' };

interface Size {
  cpuCores: number;
  memoryBytes: number;
}

/** One day as the product keeps it: five minutes hold four minutes of the mean and one of the peak of memory. */
function dayOf({ name, cpuCores, memoryBytes, memoryPeak }: Workload, day: number): ContainerDay {
  const [cpu, memory]: [Histogram, Histogram] = [new Map(), new Map()];
  for (let at = day * STEPS_A_DAY; at < (day + 1) * STEPS_A_DAY; at += 1) {
    addValue(cpu, cpuCores[at] ?? 0, LEAST.cpuCores, 5);
    addValue(memory, memoryBytes[at] ?? 0, LEAST.memoryBytes, 4);
    addValue(memory, memoryPeak[at] ?? 0, LEAST.memoryBytes, 1);
  }
  const text = (histogram: Histogram) => encodeHistogram(histogram).toString('base64');
  return { ...HEAD, workload: name, day: String(day), cpu: text(cpu), memory: text(memory) };
}

function advised(workload: Workload): Size {
  const { days } = DEFAULT_ADVICE;
  const observed = Array.from({ length: days }, (_, index) => dayOf(workload, TRAINED_DAYS - days + index));
  const spec = {
    ...HEAD,
    workload: workload.name,
    pods: 1,
    cpuRequest: 1,
    memoryRequest: 1,
    cpuLimit: null,
    memoryLimit: null,
  };
  const [row] = sizeContainers({ usage: observed, specs: [spec], ooms: [], autoscalers: [] });
  if (row?.cpu.advice == null || row.memory.advice === null) throw new Error(`no advice for ${workload.name}`);
  return { cpuCores: row.cpu.advice, memoryBytes: row.memory.advice };
}

const trained = (values: Float64Array): Float64Array => values.slice(0, TRAINED_DAYS * STEPS_A_DAY).toSorted();
const MARGIN = 1.15;
const share = (values: Float64Array, part: number): number => values[Math.ceil(part * values.length) - 1] ?? 0;
const rule =
  (part: number) =>
  ({ cpuCores, memoryPeak }: Workload): Size => ({
    cpuCores: share(trained(cpuCores), part) * MARGIN,
    memoryBytes: share(trained(memoryPeak), part) * MARGIN,
  });

const RULES: Record<string, (workload: Workload) => Size> = {
  'the advice': advised,
  'maximum + 15 %': rule(1),
  'p95 + 15 %': rule(0.95),
};

interface Judged {
  /** Workloads whose memory went over its limit in week 4. */
  killed: number;
  /** Workloads whose CPU was over its request for more than an hour a day of week 4. */
  crowded: number;
  cores: number;
  gigabytes: number;
}

function judge(workloads: readonly Workload[], size: (workload: Workload) => Size): Judged {
  const judged = { killed: 0, crowded: 0, cores: 0, gigabytes: 0 };
  for (const workload of workloads) {
    const { cpuCores, memoryBytes } = size(workload);
    const week = (values: Float64Array) => values.subarray(TRAINED_DAYS * STEPS_A_DAY);
    const over = week(workload.cpuCores).filter((cores) => cores > cpuCores).length;
    judged.killed += Number(week(workload.memoryPeak).some((bytes) => bytes > memoryBytes));
    judged.crowded += Number(over > 7 * 12);
    judged.cores += cpuCores;
    judged.gigabytes += memoryBytes / 2 ** 30;
  }
  return judged;
}

/** True if the other rule is at least as good in everything and better in something. */
function isDominated(own: Judged, other: Judged): boolean {
  const keys = ['killed', 'crowded', 'cores', 'gigabytes'] as const;
  return keys.every((key) => other[key] <= own[key]) && keys.some((key) => other[key] < own[key]);
}

function main(): number {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      seed: { type: 'string', default: '1' },
      workloads: { type: 'string', default: '200' },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const workloads = generateUsage(Number(values.seed), Number(values.workloads));
  console.log(
    '| rule | killed for memory | CPU over its request > 1 h a day | cores requested | GB requested |\n|---|---|---|---|---|',
  );
  const judged = Object.entries(RULES).map(([name, size]) => ({ name, ...judge(workloads, size) }));
  for (const { name, killed, crowded, cores, gigabytes } of judged)
    console.log(`| ${name} | ${String(killed)} | ${String(crowded)} | ${cores.toFixed(1)} | ${gigabytes.toFixed(1)} |`);
  const [own, ...others] = judged;
  return own !== undefined && others.some((other) => isDominated(own, other)) ? 1 : 0;
}
process.exitCode = main();

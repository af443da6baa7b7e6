import { addValue, encodeHistogram, type Histogram, LEAST } from '../../../api/src/capacity/histogram.ts';
import { ADVICE, sizeContainers } from '../../../api/src/capacity/sizing.ts';
import { generateUsage, type Workload } from './generate-usage.ts';

/**
 * Judges the advice on sizes, made from three weeks, by the fourth, beside two common rules. Prints the table of
 * docs/capacity.md. `node scripts/lab/usage/main.ts [seed]`
 */

const SLOTS_A_DAY = 288;
const MINUTES_A_SLOT = 5;
const JUDGED_FROM = 21 * SLOTS_A_DAY;
const SEEN_FROM = JUDGED_FROM - ADVICE.days * SLOTS_A_DAY;
const WORKLOADS = 200;
const GIGABYTE = 2 ** 30;

interface Size {
  cores: number;
  bytes: number;
}
type Rule = (workload: Workload) => Size;

function share(values: Float64Array, part: number): number {
  const sorted = values.toSorted();
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? 0;
}
const seen = (values: Float64Array): Float64Array => values.slice(SEEN_FROM, JUDGED_FROM);

/** The collector reads once a minute, so it sees means and misses peaks of seconds. */
const advised: Rule = ({ name, cpuCores, memoryBytes }) => {
  const place = { namespace: 'n', kind: 'Deployment', workload: name, container: 'app' };
  const days = Array.from({ length: ADVICE.days }, (_, index) => {
    const [cpu, memory]: [Histogram, Histogram] = [new Map(), new Map()];
    const from = SEEN_FROM + index * SLOTS_A_DAY;
    for (let slot = from; slot < from + SLOTS_A_DAY; slot += 1) {
      addValue(cpu, cpuCores[slot] ?? 0, LEAST.cpuCores, MINUTES_A_SLOT);
      addValue(memory, memoryBytes[slot] ?? 0, LEAST.memoryBytes, MINUTES_A_SLOT);
    }
    const text = (histogram: Histogram): string => encodeHistogram(histogram).toString('base64');
    return { ...place, day: String(index), cpu: text(cpu), memory: text(memory) };
  });
  const spec = { ...place, pods: 1, cpuRequest: null, cpuLimit: null, memoryRequest: null, memoryLimit: null };
  const [row] = sizeContainers(days, [spec], []);
  return { cores: row?.cpu.advice ?? 0, bytes: row?.memory.advice ?? 0 };
};
const RULES: Record<string, Rule> = {
  'advice of Plimsoll': advised,
  'maximum + 15 %': ({ cpuCores, memoryBytes }) => ({
    cores: share(seen(cpuCores), 1) * 1.15,
    bytes: share(seen(memoryBytes), 1) * 1.15,
  }),
  'p95 + 15 %': ({ cpuCores, memoryBytes }) => ({
    cores: share(seen(cpuCores), 0.95) * 1.15,
    bytes: share(seen(memoryBytes), 0.95) * 1.15,
  }),
};

function judge(workloads: readonly Workload[], rule: Rule): string[] {
  let [cores, bytes, killed, overTime, short] = [0, 0, 0, 0, 0];
  for (const workload of workloads) {
    const size = rule(workload);
    cores += size.cores;
    bytes += size.bytes;
    if (workload.memoryPeak.slice(JUDGED_FROM).some((peak) => peak > size.bytes)) killed += 1;
    const judged = workload.cpuCores.slice(JUDGED_FROM);
    const over = judged.filter((mean) => mean > size.cores).length / judged.length;
    overTime += over;
    if (over > 0.05) short += 1;
  }
  const percent = (part: number): string => `${((part / workloads.length) * 100).toFixed(1)} %`;
  return [
    cores.toFixed(1),
    (bytes / GIGABYTE).toFixed(0),
    `${String(killed)} of ${String(workloads.length)}`,
    percent(overTime),
    `${String(short)} of ${String(workloads.length)}`,
  ];
}

const workloads = generateUsage(Number(process.argv[2] ?? 1), WORKLOADS);
const lines = [
  '| rule | cores requested | GB requested | killed for memory in week 4 | time over the CPU request | over it for more than 5 % of the time |',
  '|---|---|---|---|---|---|',
  ...Object.entries(RULES).map(([name, rule]) => `| ${[name, ...judge(workloads, rule)].join(' | ')} |`),
];
process.stdout.write(`${lines.join('\n')}\n`);

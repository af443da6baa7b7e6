import * as fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { compile } from '../airgap/compile.ts';
import { places } from '../airgap/places.ts';
import { clusterTools } from '../airgap/tools.ts';
import { startApiServer } from '../bench/cluster/api-server.ts';
import { addPod, judge, store, type Stored } from './judge.ts';
import { type ComparedLoss, compareLoss, lossReport } from './losses.ts';
import { largeCluster, NAMESPACES, type RandomCluster, randomCluster } from './random-cluster.ts';
import { RealCluster } from './real-cluster.ts';
import { startScheduler } from './scheduler.ts';
import { Tally } from './tally.ts';
import { readTrace } from './trace.ts';
import type { Verdict } from './verdict.ts';

const usage = `Usage: node scripts/lab/scheduler/main.ts [OPTIONS]
Places pods one after the other with the real kube-scheduler and asks the model of the Capacity page the same, on the
state that the scheduler made: does the pod fit anywhere, and if not, on how many nodes does which plugin refuse it?
  --clusters N   random clusters (default 300)
  --seed N       their seed (default 1)
  --trace FOLDER nodes.csv and pods.csv of a trace of a real cluster, before the random ones
  --pods N       pods of the trace (default 2000)
  --losses N     clusters of 30 nodes of which one is lost, and nothing else; compares the pods that stay pending
  --record FILE  write the random clusters with their verdicts, for the test of the model
Exit 0 when at least 99 % of the pods are equal, 1 otherwise, 2 wrong options.`;

const RECORD_VERSION = 1;
/** Plugins of the admission that wait for controllers, which do not run here. */
const WITHOUT = [
  'ServiceAccount',
  'TaintNodesByCondition',
  'StorageObjectInUseProtection',
  'PersistentVolumeClaimResize',
];

/** Gives the nodes of each cluster names of their own: the scheduler forgets old ones some moments later. */
const renamed = (cluster: RandomCluster, index: number): RandomCluster =>
  JSON.parse(JSON.stringify(cluster).replaceAll(/"node-(\d+)"/g, `"c${String(index)}-node-$1"`)) as RandomCluster;

interface RecordedPod {
  pod: Stored['pods'][number];
  verdict: Verdict;
}
type Recorded = Omit<Stored, 'pods'> & { pods: RecordedPod[] };

async function compare(
  real: RealCluster,
  { nodes, volumes, pods }: RandomCluster,
  tally: Tally,
  label: string,
): Promise<Recorded> {
  const stored = store(await real.make(nodes, volumes));
  const recorded: RecordedPod[] = [];
  for (const [index, pod] of pods.entries()) {
    const { object, verdict } = await real.place(pod);
    const own = addPod(stored, object, null);
    tally.add(`${label} ${pod.metadata.name}`, verdict, judge(stored));
    recorded.push({ pod: { ...own }, verdict });
    if (verdict.node === null) stored.pods.pop();
    else own.node = verdict.node;
    if (pods.length > 500 && index % 100 === 99)
      console.error(`${label}: ${String(index + 1)} of ${String(pods.length)} pods`);
  }
  await real.clear();
  return { ...stored, pods: recorded };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      clusters: { type: 'string', default: '300' },
      seed: { type: 'string', default: '1' },
      trace: { type: 'string' },
      pods: { type: 'string', default: '2000' },
      record: { type: 'string' },
      losses: { type: 'string' },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const at = places(process.env);
  await compile(clusterTools, join(import.meta.dirname, '../airgap/tools'), at.bin);
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-scheduler-'));
  const api = await startApiServer(at.bin, folder, WITHOUT);
  const stopScheduler = startScheduler(at.bin, folder, api);
  const [random, trace] = [new Tally(), new Tally()];
  try {
    const real = new RealCluster(api);
    await real.makeNamespaces(NAMESPACES);
    if (values.losses !== undefined) return await losses(real, Number(values.losses), Number(values.seed));
    if (values.trace !== undefined) await compare(real, readTrace(values.trace, Number(values.pods)), trace, 'trace');
    const clusters = fc.sample(randomCluster, { numRuns: Number(values.clusters), seed: Number(values.seed) });
    const recorded: Recorded[] = [];
    for (const [index, cluster] of clusters.entries()) {
      recorded.push(await compare(real, renamed(cluster, index), random, `cluster ${String(index)}`));
      if (index % 10 === 9) console.error(`${String(index + 1)} of ${String(clusters.length)} clusters`);
    }
    if (values.record !== undefined)
      writeFileSync(
        values.record,
        gzipSync(JSON.stringify({ version: RECORD_VERSION, clusters: recorded }), { level: 9 }),
      );
  } finally {
    stopScheduler();
    api.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return report(random, trace);
}

/** Half of the sets must be equal: among equal nodes the scheduler chooses at random, and one choice moves the next pod. */
async function losses(real: RealCluster, numRuns: number, seed: number): Promise<number> {
  const compared: ComparedLoss[] = [];
  for (const [index, cluster] of fc.sample(largeCluster, { numRuns, seed }).entries()) {
    compared.push(await compareLoss(real, renamed(cluster, index)));
    console.error(`${String(index + 1)} of ${String(numRuns)} losses`);
  }
  console.log(lossReport(compared).join('\n'));
  const equal = compared.filter(({ forecast, real: pending }) => forecast.join() === pending.join());
  return equal.length * 2 >= compared.length ? 0 : 1;
}

function report(random: Tally, trace: Tally): number {
  const tallies = [
    ['random', random],
    ['trace', trace],
  ] as const;
  console.log('| what | pods | equal |\n|---|---|---|');
  for (const [label, tally] of tallies) if (tally.pods > 0) console.log(tally.rows(label).join('\n'));
  for (const [label, tally] of tallies) {
    if (tally.notModelled > 0)
      console.log(`${label}: ${String(tally.notModelled)} pods have constraints that are not modelled`);
    for (const line of tally.differences) console.log(`difference in ${line}`);
  }
  const [pods, equal] = [random.pods + trace.pods, random.equal + trace.equal];
  return equal >= pods * 0.99 ? 0 : 1;
}

process.exitCode = await main();

import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chartReadme } from './chart-readme.ts';
import { chooseEngine } from './choose-engine.ts';
import { customResourceTemplates } from './custom-resources.ts';
import { CLUSTER_NAME, type Cluster, connect, createCluster, describe, installAddOns } from './cluster.ts';
import type { Engine } from './engine.ts';
import { isLeftBehind, recordOwner } from './owner.ts';
import { compiledTool } from '../release/tools.ts';
import { runFolder } from './places.ts';
import { loadProductImages } from './product-images.ts';
import { say, step } from './shell.ts';
import { hashOfLane, reasonToRun, recordGreenRun } from './verified.ts';

const usage = `Usage: npm run test:cluster [-- COMMAND] [-- test file filters]
Tests the chart and the collectors on a real two-node Kubernetes cluster (kind).
  (none)   up, test, down
  ci       the same when scripts/cluster/verified does not hold the hash of the tested files, or with CI_FULL=1;
           prints the reason, and writes the hash after a green run. ci compile only brings the tools
  up       create the cluster and load the product's images
  test     run the tests against the cluster that is up
  down     delete the cluster and everything it brought
  images   build the product's images anew (or one: images plimsoll-api) and load them into the cluster that is up
  compile  only bring kind, kubectl and helm (where no registry responds: compile, 15 min on two idle cores)
  readme   write the chart's README anew from its values
  crds     write the chart's definitions of custom resources anew from the schemas of the API
  env      print the variables kubectl and helm need to reach the cluster that is up
Uses the machine's Docker or Podman. Where no registry responds it builds the cluster from source, as root on Debian:
scripts/lab/airgap/README.md. PLIMSOLL_NODE_IMAGE sets the image of kind's nodes, PLIMSOLL_CLUSTER_CACHE the folder of the
tools and of the run (default: plimsoll/cluster in the user's cache folder).
Exit 0 passed, 1 failed, 2 wrong options.`;

const root = join(import.meta.dirname, '../..');

const run = runFolder(process.env);

/** Fails if a cluster is up. Deletes what a killed run left. */
async function requireNone(cluster: Cluster, engine: Engine): Promise<void> {
  if (!existsSync(run)) return;
  if (!isLeftBehind(run)) throw new Error(`${run} exists: a cluster is up. End it with: npm run test:cluster down`);
  say(`${run} was left by a run that was killed: deleting it`);
  await down(cluster, engine);
}

/** `pid`: the process that the cluster ends with, null for a cluster that stays up. */
async function up(cluster: Cluster, engine: Engine, pid: number | null): Promise<void> {
  await requireNone(cluster, engine);
  await engine.bringTools();
  recordOwner(run, pid);
  await engine.start();
  await createCluster(cluster, engine);
  await step('metrics-server and kube-state-metrics', () => installAddOns(cluster, engine));
  await step('the product images', () => loadProductImages(cluster, engine));
}

async function down(cluster: Cluster, engine: Engine): Promise<void> {
  if (!existsSync(run)) return;
  await step('kind delete cluster', () => cluster.kind(['delete', 'cluster', '--name', CLUSTER_NAME, '-q'])).catch(
    (error: unknown) => {
      say(`kind delete cluster: ${error instanceof Error ? error.message : String(error)}`);
    },
  );
  await engine.stop();
}

/** Runs a project of vitest.config.ts. `project` cluster runs where the cluster's addresses lead. */
function runProject(project: 'cluster' | 'publish', cluster: Cluster, engine: Engine, filters: string[]) {
  const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', project, ...filters];
  const [command, args] =
    project === 'cluster' ? engine.inside(process.execPath, words) : ([process.execPath, words] as const);
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...cluster.env } });
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}

/** Runs the tests on the cluster, then those that build images for a registry, which needs the npm registry. */
async function test(cluster: Cluster, engine: Engine, filters: string[]): Promise<number> {
  // One test pulls from a registry, and the network of the cluster does not reach the modules it is compiled from.
  await compiledTool('registry');
  const status = await runProject('cluster', cluster, engine, filters);
  if (filters.length > 0) return status;
  return Math.max(status, await runProject('publish', cluster, engine, []));
}

async function everything(cluster: Cluster, engine: Engine): Promise<number> {
  // Before anything that would be undone below: a cluster that is up is someone's.
  await requireNone(cluster, engine);
  const ended = Promise.withResolvers<number>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.resolve(130));
  try {
    await Promise.race([up(cluster, engine, process.pid), ended.promise]);
    const status = await Promise.race([test(cluster, engine, []), ended.promise]);
    if (status !== 0) console.error(describe(cluster));
    return status;
  } catch (error) {
    if (existsSync(run)) console.error(describe(cluster));
    throw error;
  } finally {
    await down(cluster, engine);
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const isCi = positionals[0] === 'ci';
  if (isCi) {
    const reason = reasonToRun(root, process.env.CI_FULL);
    console.log(reason === null ? 'cluster: verified before, skipped' : `cluster: ${reason}`);
    if (reason === null) return 0;
    positionals.shift();
  }
  const [command, ...filters] = positionals;
  if (command === 'crds') {
    const folder = join(root, 'charts/plimsoll/templates/custom-resources');
    for (const [name, text] of Object.entries(customResourceTemplates())) writeFileSync(join(folder, name), text);
    return 0;
  }
  if (command === 'readme') {
    const chart = join(root, 'charts/plimsoll');
    writeFileSync(join(chart, 'README.md'), chartReadme(chart));
    return 0;
  }
  const engine = await chooseEngine();
  const cluster = connect(engine);
  if (command === 'up') await up(cluster, engine, null);
  else if (command === 'compile') await engine.bringTools();
  else if (command === 'images') await loadProductImages(cluster, engine, filters[0]);
  else if (command === 'test') return await test(cluster, engine, filters);
  else if (command === 'down') await down(cluster, engine);
  else if (command === 'env')
    for (const [name, value] of Object.entries(cluster.env)) console.log(`export ${name}='${value}'`);
  else if (command === undefined) {
    // Taken before the run: what changes meanwhile was not tested.
    const hash = hashOfLane(root);
    const status = await everything(cluster, engine);
    if (isCi && status === 0) recordGreenRun(root, hash);
    return status;
  } else {
    console.error(`${command}: no such command\n${usage}`);
    return 2;
  }
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`plimsoll: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

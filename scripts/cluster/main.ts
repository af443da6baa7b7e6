import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Places, places } from '../airgap/cache.ts';
import { reasonToRun } from './changed.ts';
import { chartReadme } from './chart-readme.ts';
import { CLUSTER_NAME, type Cluster, connect, createCluster, describe, installAddOns } from './cluster.ts';
import { type Engine, chooseEngine, compileTools, ownEngine, startEngine, stopEngine } from '../airgap/engine.ts';
import { loadProductImages } from './product-images.ts';
import { say, step } from './shell.ts';

const usage = `Usage: npm run test:cluster [-- COMMAND] [-- test file filters]
Tests the chart and the collectors on a real two-node Kubernetes cluster (kind).
  (none)   up, test, down
  ci       the same when what it tests changed since the last merge, or with CI_FULL=1; else nothing.
           ci compile, begun before the other lanes, compiles at the lowest priority while they run
  up       create the cluster and load the product's images
  test     run the tests against the cluster that is up
  down     delete the cluster and everything it brought
  images   build the product's images anew (or one: images api) and load them into the cluster that is up
  compile  only compile the tools (about 15 min on two idle cores the first time)
  readme   write the chart's README anew from its values
  env      print the variables kubectl and helm need to reach the cluster that is up
Where a Docker engine can pull kindest/node it is used; else, as root on Debian, an own engine in its own namespaces.
PLIMSOLL_CLUSTER_CACHE sets where compiled tools stay (default: plimsoll/cluster in the user's cache folder).
Exit 0 passed, 1 failed, 2 wrong options.`;

const root = join(import.meta.dirname, '../..');

function requireNone(at: Places): void {
  if (existsSync(at.run)) throw new Error(`${at.run} exists: a cluster is up. End it with: npm run test:cluster down`);
}

async function up(cluster: Cluster, engine: Engine, at: Places): Promise<void> {
  requireNone(at);
  await startEngine(engine, at);
  await createCluster(cluster, engine);
  await step('metrics-server and kube-state-metrics', () => installAddOns(cluster, engine, at));
  await step('the product images', () => loadProductImages(cluster, engine, at));
}

async function down(cluster: Cluster, engine: Engine, at: Places): Promise<void> {
  if (!existsSync(at.run)) return;
  await step('kind delete cluster', () => cluster.kind(['delete', 'cluster', '--name', CLUSTER_NAME, '-q'])).catch(
    (error: unknown) => {
      say(`kind delete cluster: ${error instanceof Error ? error.message : String(error)}`);
    },
  );
  await stopEngine(engine, at);
}

function test(cluster: Cluster, engine: Engine, filters: string[]): Promise<number> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const [command, args] = engine.inside(process.execPath, [vitest, 'run', '--project', 'cluster', ...filters]);
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...cluster.env } });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}

async function everything(cluster: Cluster, engine: Engine, at: Places, filters: string[]): Promise<number> {
  // Before anything that would be undone below: a cluster that is up is someone's.
  requireNone(at);
  const ended = Promise.withResolvers<number>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.resolve(130));
  try {
    await Promise.race([up(cluster, engine, at), ended.promise]);
    const status = await Promise.race([test(cluster, engine, filters), ended.promise]);
    if (status !== 0) console.error(describe(cluster));
    return status;
  } catch (error) {
    if (existsSync(at.run)) console.error(describe(cluster));
    throw error;
  } finally {
    await down(cluster, engine, at);
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const reason = positionals[0] === 'ci' ? reasonToRun(root, process.env.CI_FULL) : null;
  if (positionals[0] === 'ci') {
    console.log(reason === null ? 'cluster: unchanged, skipped' : `cluster: ${reason}`);
    if (reason === null) return 0;
    positionals.shift();
  }
  const at = places(join(import.meta.dirname, '../airgap'), process.env);
  const [command, ...filters] = positionals;
  if (command === 'readme') {
    const chart = join(root, 'charts/plimsoll');
    writeFileSync(join(chart, 'README.md'), chartReadme(chart));
    return 0;
  }
  const isOwnUp = existsSync(join(at.run, 'engine.pid'));
  const engine = isOwnUp ? ownEngine(at) : chooseEngine(at);
  const cluster = connect(engine, at);
  if (command === 'up') await up(cluster, engine, at);
  else if (command === 'compile') await compileTools(engine, at);
  else if (command === 'images') await loadProductImages(cluster, engine, at, filters[0]);
  else if (command === 'test') return await test(cluster, engine, filters);
  else if (command === 'down') await down(cluster, engine, at);
  else if (command === 'env')
    for (const [name, value] of Object.entries(cluster.env)) console.log(`export ${name}='${value}'`);
  else if (command === undefined) return await everything(cluster, engine, at, filters);
  else {
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

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorText } from '@plimsoll/contract/rules/error-text';
import { chooseEngine } from '../../cluster/choose-engine.ts';
import { connect } from '../../cluster/cluster.ts';
import { cacheRoot, runFolder } from '../../cluster/places.ts';
import { ROOT } from '../../lib/web-build.ts';
import { CLUSTER_INCIDENTS } from './cluster/all.ts';
import { loadShopImage, startClusterLab } from './cluster/lab.ts';
import { runAll } from './cluster/run.ts';
import { withUndo } from './cleanup.ts';
import { isHeldOut } from './held-out.ts';
import { HOST_INCIDENTS } from './host/incidents.ts';
import { runHosts } from './host/run.ts';
import { isHealthy } from './incident.ts';
import { type Recording, recordingOf, writeRecording } from './record.ts';
import { readRecordings, RECORDINGS, replay, rescore, scoreNow } from './replay.ts';
import { replayedSection, withReplayed } from './replayed.ts';
import { ROUNDS, isDone, planRuns, readResults } from './results.ts';
import { incidentTable } from './table.ts';

const usage = `Usage: npm run incidents -- COMMAND [NAME…] [--results FOLDER] [--lanes N] [--rounds N]
Harms real systems, and compares what Plimsoll says about the cause with the truth.
  cluster  incidents in the cluster that "npm run test:cluster -- up" made, N lanes (default 4) side by side
  host     incidents on systemd machines; as root on Debian, with systemd-nspawn
  table    write docs/incidents.md from the results
  replay   explain the recordings anew and write that section of docs/incidents.md
  record   write the evidence of the first runs as recordings of the fast test
  list     names and faults
NAME: only these incidents. Runs that have a result are kept and left out; delete their file to repeat them.
  --results  folder of the results (default .cache/incidents/results)
  --app      checkout whose API runs (default this one)
  --held-out run those that the analyser's authors have never seen, which are otherwise left out
  --rounds   how often those that repeat run (default ${String(ROUNDS)})
Exit 0 all runs made, 1 some could not be made, 2 wrong options.`;

const DOCUMENT = join(ROOT, 'docs/incidents.md');
/** Databases of the lab's installations, kits and images. */
const WORK = join(ROOT, '.cache/incidents');

interface Options {
  results: string;
  lanes: number;
  rounds: number;
  names: string[];
  wantsHeldOut: boolean;
  app: string;
}

function chosenOf<T extends { name: string }>(all: readonly T[], { names, wantsHeldOut }: Options): readonly T[] {
  if (names.length > 0) return all.filter(({ name }) => names.includes(name));
  return all.filter(({ name }) => isHeldOut(name) === wantsHeldOut);
}

async function runCluster(options: Options): Promise<number> {
  const { results, lanes, rounds, app } = options;
  const planned = planRuns(chosenOf(CLUSTER_INCIDENTS, options), (name, round) => isDone(results, name, round), rounds);
  if (planned.length === 0) return 0;
  const lab = await startClusterLab(process.env['PLIMSOLL_TEST_ENGINE'] ?? 'docker', join(WORK, 'cluster'), app);
  return withUndo(lab.installation.stop, async () => ((await runAll(lab, planned, lanes, results)) === 0 ? 0 : 1));
}

/** Starts this program again where the addresses of the cluster lead, after its image is on the nodes. */
async function enterCluster(words: string[]): Promise<number> {
  if (!existsSync(runFolder(process.env))) throw new Error('no cluster is up. Run: npm run test:cluster -- up');
  const engine = await chooseEngine();
  const cluster = connect(engine);
  const stamp = join(runFolder(process.env), 'shop-image');
  if (!existsSync(stamp)) {
    await loadShopImage(cluster, engine, join(cacheRoot(process.env), 'incidents'));
    writeFileSync(stamp, '');
  }
  const self = join(import.meta.dirname, 'main.ts');
  const [command, args] = engine.inside(process.execPath, [self, 'inside', ...words]);
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...cluster.env } });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function printList(): void {
  for (const incident of [...CLUSTER_INCIDENTS, ...HOST_INCIDENTS]) {
    const kind = isHealthy(incident) ? 'healthy' : incident.causes.length > 1 ? 'two causes' : 'fault';
    console.log(`${incident.name.padEnd(26)} ${kind.padEnd(10)} ${incident.fault}`);
  }
}

/**
 * Records the first run of each incident: the smallest evidence over which this checkout has the same score as over the
 * whole of it, else the smallest.
 */
function writeRecordings(results: string): void {
  for (const run of readResults(results).filter(({ round }) => round === 1)) {
    const whole = rescore(run);
    const found = (['none', 'unwell'] as const).flatMap((neighbours) => {
      const recording = recordingOf(run, neighbours);
      return recording === null ? [] : [{ ...recording, score: scoreNow(recording) }];
    });
    const chosen = found.find(({ score }) => score === whole) ?? found[0];
    if (chosen) writeRecording(RECORDINGS, chosen);
    console.log(
      `${run.incident}: ${chosen ? `score ${chosen.score.toFixed(2)}, whole ${String(whole)}` : 'no evidence'}`,
    );
  }
}

/** Writes the section about the recordings, and raises the score of those that are explained better than before. */
function rewriteReplayed(replays: readonly ReturnType<typeof replay<Recording>>[]): void {
  writeFileSync(DOCUMENT, withReplayed(readFileSync(DOCUMENT, 'utf8'), replayedSection(replays)));
  for (const { recording, score } of replays)
    if (score > recording.score) writeRecording(RECORDINGS, { ...recording, score });
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      results: { type: 'string', default: join(WORK, 'results') },
      app: { type: 'string', default: ROOT },
      'held-out': { type: 'boolean', default: false },
      lanes: { type: 'string', default: '4' },
      rounds: { type: 'string', default: String(ROUNDS) },
    },
  });
  const [command, ...names] = positionals;
  const known = [...CLUSTER_INCIDENTS, ...HOST_INCIDENTS].map(({ name }) => name);
  const unknown = (command === 'inside' ? names.slice(1) : names).filter((name) => !known.includes(name));
  const options = {
    results: values.results,
    lanes: Number(values.lanes),
    rounds: Number(values.rounds),
    names,
    app: values.app,
    wantsHeldOut: values['held-out'],
  };
  const isWrong = !Number.isInteger(options.lanes) || options.lanes < 1 || ![1, 2, 3].includes(options.rounds);
  if (values.help || command === undefined || unknown.length > 0 || isWrong) {
    const print = values.help ? console.log : console.error;
    print(unknown.length > 0 ? `Unknown: ${unknown.join(', ')}.\n${usage}` : usage);
    return values.help ? 0 : 2;
  }
  mkdirSync(WORK, { recursive: true });
  if (command === 'cluster') return enterCluster(process.argv.slice(2));
  if (command === 'inside') return runCluster({ ...options, names: names.slice(1) });
  if (command === 'host')
    return runHosts(
      planRuns(
        chosenOf(HOST_INCIDENTS, options),
        (name, round) => isDone(options.results, name, round),
        options.rounds,
      ),
      { ...options, folder: join(WORK, 'host') },
    );
  const replays = () => readRecordings().map(replay);
  if (command === 'table')
    writeFileSync(DOCUMENT, incidentTable(readResults(options.results), replayedSection(replays()), known));
  else if (command === 'replay') rewriteReplayed(replays());
  else if (command === 'record') writeRecordings(options.results);
  else if (command === 'list') printList();
  else {
    console.error(`${command}: no such command\n${usage}`);
    return 2;
  }
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`plimsoll: ${errorText(error)}`);
  process.exitCode = 1;
}

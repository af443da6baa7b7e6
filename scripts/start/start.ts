import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageChart } from '../lib/chart-package.ts';
import { buildLocalKit } from '../lib/kit-build.ts';
import { ROOT, buildWeb } from '../lib/web-build.ts';
import { EXIT_ENROLMENT_DEAD } from '@plimsoll/contract/rules/limits';
import { createDataFolder } from '../../api/src/database/embedded/folders.ts';
import { machineFolders, makePlaces } from '../../api/src/database/embedded/places.ts';
import { progressOf } from '../../api/src/database/embedded/postmaster.ts';
import { databaseUser } from '../../api/src/database/embedded/run-as.ts';
import { listen, localOrigin } from '../../api/src/http/listen.ts';
import { onStopSignal } from '../../api/src/stop-signals.ts';
import { emptyDemoFolder, markDemoFolder } from '../demo/folder.ts';
import type * as apiHere from './api-here.ts';
import { bundledApi } from './api-bundle.ts';
import { startLocalCollector } from './local-collector.ts';
import { type Started, startNode } from './process.ts';
import { isReadyAt, untilReady } from './until-ready.ts';

export interface StartOptions {
  port: string | undefined;
  collector: boolean;
  dev: boolean;
  verbose: boolean;
  /** An invented fleet, with a data folder and a port of its own. */
  demo: boolean;
}

const say = (line: string) => void process.stderr.write(`plimsoll: ${line}\n`);
/** Port of the dashboard in development; the API keeps its own port. */
const DEV_PORT = 5173;
const DEMO_PORT = '8421';

interface Place {
  dataDir: string;
  url: string;
  enrolmentFile: string;
}

const addressOf = ({ port, demo }: StartOptions) => ({
  host: process.env.PLIMSOLL_HOST ?? '127.0.0.1',
  port: port ?? process.env.PLIMSOLL_PORT ?? (demo ? DEMO_PORT : '8420'),
});

/** Refuses a taken port before anything is built or deleted; else the answer of its owner would look like ours. */
async function requireFreePort(options: StartOptions): Promise<void> {
  const { host, port } = addressOf(options);
  // The API names a wrong number itself.
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return;
  const setting = `another port: npm start -- ${options.demo ? '--demo ' : ''}--port N`;
  const probe = await listen(() => new Response(null, { status: 503 }), { host, port: Number(port), setting });
  await probe.close();
}

/** The demo deletes its folder at each start, so it never takes that of the real data and lies beside it. */
export function dataFolder(isDemo: boolean, env: Partial<Record<string, string>>): string {
  const folder = env['PLIMSOLL_DATA_DIR'] ?? join(ROOT, '.plimsoll');
  return isDemo ? (env['PLIMSOLL_DEMO_DATA_DIR'] ?? `${resolve(folder)}-demo`) : folder;
}

async function place(options: StartOptions): Promise<Place> {
  const { host, port } = addressOf(options);
  const dataDir = resolve(dataFolder(options.demo, process.env));
  if (options.demo) await emptyDemoFolder(dataDir, () => databasePlaces(dataDir).cluster);
  // As root the database runs as another user, who must be able to pass through; what is secret inside is 0600 itself.
  createDataFolder(dataDir);
  if (options.demo) markDemoFolder(dataDir);
  return { dataDir, url: localOrigin(host, Number(port)), enrolmentFile: join(dataDir, 'local-enrolment') };
}

const databasePlaces = (dataDir: string, machine = machineFolders(process.env.XDG_RUNTIME_DIR || null)) =>
  makePlaces(dataDir, databaseUser(process.env.PLIMSOLL_DATABASE_USER || null), machine);

/** Returns the data folder. As root the database may lie elsewhere, and would outlive a removed checkout. */
export function whereDataIs(
  dataDir: string,
  databaseUrl: string | undefined,
  machine = machineFolders(process.env.XDG_RUNTIME_DIR || null),
): string {
  if (databaseUrl) return `data in ${dataDir}, database at DATABASE_URL`;
  const { base } = databasePlaces(dataDir, machine);
  return base === realpathSync(dataDir)
    ? `data in ${dataDir}`
    : `data in ${dataDir}; its database in ${base}, which stays when that folder is removed`;
}

const QUIET_LEVELS = ['trace', 'debug', 'info', 'warn'];
const levelOf = (line: string): unknown => {
  try {
    return (JSON.parse(line) as { level?: unknown } | null)?.level;
  } catch {
    return null;
  }
};
/** Passes lines for people; passes logs in verbose mode, and errors always. */
function logFilter(name: string, verbose: boolean) {
  return (line: string) => {
    if (/^(Sign in: |Plimsoll )/.test(line)) process.stdout.write(`${line}\n`);
    else if (verbose || !QUIET_LEVELS.includes(String(levelOf(line)))) process.stderr.write(`${name}: ${line}\n`);
  };
}

const apiEnvironment = (at: Place, options: StartOptions): Record<string, string> => ({
  PLIMSOLL_PORT: new URL(at.url).port || '80',
  PLIMSOLL_DATA_DIR: at.dataDir,
  ...(options.demo ? { PLIMSOLL_DEMO: 'on', DATABASE_URL: '' } : { PLIMSOLL_LOCAL_ENROLMENT_FILE: at.enrolmentFile }),
  ...(options.dev ? { PLIMSOLL_PUBLIC_URL: `http://127.0.0.1:${String(DEV_PORT)}` } : {}),
});

/** Development restarts the API when a file changes, and the demo prepares its fleet: both in a process of their own. */
function startApiApart(at: Place, options: StartOptions, log: (line: string) => void): Started {
  const watch = options.dev ? ['--watch', '--watch-preserve-output'] : [];
  const script = join(ROOT, options.demo ? 'scripts/demo/main.ts' : 'api/src/main.ts');
  const args = options.demo ? ['--end-with-input'] : [];
  return startNode('api', [...watch, script, ...args], apiEnvironment(at, options), log);
}

/** Runs the API in this process, which is needed to keep the collector running anyway: a Node less stays in memory. */
async function startApiHere(at: Place, options: StartOptions, stopped: Promise<unknown>): Promise<Started> {
  Object.assign(process.env, apiEnvironment(at, options));
  writePid(at, process.pid);
  const { startApi, endOwnPostmasters } = (await import(bundledApi())) as typeof apiHere;
  let stop: () => Promise<void> = endOwnPostmasters;
  const serving = startApi(options.verbose).then((api) => void (stop = api.stop));
  // A signal during the start ends it; what fails because of that is no news.
  await Promise.race([serving, stopped.then(() => void serving.catch(() => {}))]);
  // It ends with this process only.
  return { name: 'api', pid: process.pid, exited: new Promise(() => {}), stop: () => stop() };
}

/** Written before anything can fail: the next start of the demo must not delete the folder of a running one. */
const writePid = (at: Place, pid: number): void => writeFileSync(join(at.dataDir, 'api.pid'), `${String(pid)}\n`);

async function startApi(at: Place, options: StartOptions, stopped: Promise<unknown>): Promise<Started> {
  rmSync(at.enrolmentFile, { force: true });
  if (!options.dev && !options.demo) return startApiHere(at, options, stopped);
  let lines = 0;
  const log = logFilter('api', options.verbose);
  const api = startApiApart(at, options, (line) => {
    lines += 1;
    log(line);
  });
  writePid(at, api.pid);
  const places = process.env.DATABASE_URL && !options.demo ? null : databasePlaces(at.dataDir);
  const progress = (): string => `${String(lines)} ${places === null ? '' : progressOf(places)}`;
  const ready = untilReady(api, { isReady: () => isReadyAt(at.url), progress });
  await Promise.race([ready, stopped.then(() => void ready.catch(() => {}))]).catch(async (error: unknown) => {
    await api.stop();
    throw error;
  });
  return api;
}

/** The dashboard with reload on change; it hands the calls on to the API. */
function startVite(at: Place): Started {
  const args = [
    join(ROOT, 'node_modules/vite/bin/vite.js'),
    join(ROOT, 'web'),
    '--port',
    String(DEV_PORT),
    '--strictPort',
  ];
  return startNode('web', args, { PLIMSOLL_API_URL: at.url }, (line) => process.stdout.write(`web: ${line}\n`));
}

const collectorOptions = ({ dev, verbose }: StartOptions) => ({
  dev,
  say,
  log: logFilter('collector', verbose),
  verbose: verbose ? say : () => {},
});

/** Starts everything and stays until it is stopped or one part ends. Returns the exit code. */
export async function start(options: StartOptions): Promise<number> {
  await requireFreePort(options);
  const at = await place(options);
  if (!options.dev) buildWeb(say);
  await packageChart();
  const running: Started[] = [];
  const stopped = Promise.withResolvers<number>();
  let stopping = false;
  onStopSignal(() => {
    stopping = true;
    stopped.resolve(0);
  });
  try {
    running.push(await startApi(at, options, stopped.promise));
    if (stopping) return 0;
    if (options.dev) running.push(startVite(at));
    const collector = options.collector ? await startLocalCollector(at, collectorOptions(options)) : null;
    if (collector !== null) running.push(collector);
    process.stdout.write(
      `Plimsoll is ready: ${at.url} (Ctrl-C stops it; ${whereDataIs(at.dataDir, options.demo ? undefined : process.env.DATABASE_URL)})\n`,
    );
    if (!options.demo) buildLocalKit(say, () => collector?.restart());
    const ends = running.map(async (part) => {
      const code = await part.exited;
      if (part.name === 'collector' && code === EXIT_ENROLMENT_DEAD) {
        say(
          'the collector of this machine was removed in the dashboard; everything else goes on. Start again to enrol it anew',
        );
        return await stopped.promise;
      }
      if (!stopping) say(`${part.name} ended with exit code ${code}`);
      return code === 0 ? 1 : code;
    });
    return await Promise.race([stopped.promise, ...ends]);
  } catch (error) {
    // Ctrl-C also ends the programs that this start runs; the signal itself is read a turn later.
    await new Promise((turn) => setImmediate(turn));
    if (stopping) return 0;
    throw error;
  } finally {
    // The collector first: its last report and its goodbye still find the API.
    for (const part of running.toReversed()) await part.stop();
  }
}

async function runCli(script: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [join(ROOT, 'api/src/cli', script), ...args], { stdio: 'inherit', env });
  // Ctrl-C reaches the child through the terminal; a service manager signals this process alone. The child counts both as
  // one signal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

const DEFAULT_OPTIONS: StartOptions = { port: undefined, collector: false, dev: false, verbose: false, demo: false };

/** Prints a new sign-in link of the account; for who holds the data folder and cannot get in. Answers the exit code. */
export async function signInLink(email: string, options: Pick<StartOptions, 'port'>): Promise<number> {
  const at = await place({ ...DEFAULT_OPTIONS, ...options });
  const env = { ...process.env, PLIMSOLL_DATA_DIR: at.dataDir, PLIMSOLL_PORT: new URL(at.url).port || '80' };
  return runCli('recover.ts', [email], env);
}

/** Runs a command of the API on the data folder that a start would use. Returns its exit code. */
export function runCommand(name: string, args: string[]): Promise<number> {
  const dataDir = resolve(process.env.PLIMSOLL_DATA_DIR || join(ROOT, '.plimsoll'));
  return runCli(`${name}.ts`, args, { ...process.env, PLIMSOLL_DATA_DIR: dataDir });
}

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_ENROLMENT_DEAD } from '@plimsoll/contract/rules/limits';
import { isAlive } from '../../api/src/database/embedded/postmaster.ts';
import { readStatus } from '../../collector/src/send/status.ts';
import { diskAt } from '../../collector/src/runtime/disk.ts';
import { builtCollector, programEnvironment } from '../lib/kit-build.ts';
import { ROOT } from '../lib/stamp.ts';
import { type Started, endProcess, keepRunning, startNode, startProgram } from './process.ts';

/** Returns the command line of a process; an empty text if there is none of this number. */
function commandLineOf(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Data folder of the collector of this machine, and the API that it reports to. */
export interface CollectorPlace {
  dataDir: string;
  url: string;
  enrolmentFile: string;
}
interface CollectorOptions {
  dev: boolean;
  say: (line: string) => void;
  log: (line: string) => void;
}

/** Node keeps up to 48 MB for objects that live for a moment unless a limit is set; a collection needs 2. */
const SMALL_HEAP = ['--max-semi-space-size=2'];
/** It ends when this process does, also when that is killed. */
const RUN = ['run', '--end-with-input'];
const stateOf = ({ dataDir }: Pick<CollectorPlace, 'dataDir'>): string => join(dataDir, 'collector');

/**
 * A new or emptied database lacks this machine's collector, so the collector enrols anew. Only here, where one owner has
 * database and collector, is that more likely than a revoked token.
 */
export async function forgetStrangeEnrolment(
  at: Pick<CollectorPlace, 'dataDir' | 'url'>,
  say: (line: string) => void,
): Promise<void> {
  const file = join(stateOf(at), 'agent.json');
  if (!existsSync(file)) return;
  const { agent_token } = JSON.parse(readFileSync(file, 'utf8')) as { agent_token?: string };
  const answer = await fetch(`${at.url}/api/agent/v1/bye`, {
    method: 'POST',
    headers: { authorization: `Bearer ${String(agent_token)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'restart' }),
  });
  await answer.body?.cancel();
  if (answer.status !== 401) return;
  say('this database does not know the collector of this machine: it enrols anew');
  rmSync(file);
}

/** Ends the collector that a killed start left behind: a second one would report the same machine from the same files. */
export async function endLeftCollector(
  at: Pick<CollectorPlace, 'dataDir'>,
  say: (line: string) => void,
): Promise<void> {
  const pid = existsSync(stateOf(at)) ? readStatus(diskAt(stateOf(at)))?.pid : undefined;
  if (pid === undefined || pid === process.pid || !isAlive(pid)) return;
  // The number may belong to another program by now.
  if (!/(plimsoll|collector\/src\/main\.ts) run\b/.test(commandLineOf(pid))) return;
  say(`ending the collector of an earlier start (process ${String(pid)})`);
  await endProcess(pid);
}

/** The collector as it is shipped where it is built, else from its source. */
function begin(at: CollectorPlace, { dev, log }: CollectorOptions): Started {
  const env = {
    PLIMSOLL_URL: at.url,
    PLIMSOLL_STATE_DIR: stateOf(at),
    PLIMSOLL_ENROLMENT_TOKEN_FILE: at.enrolmentFile,
  };
  const program = dev ? null : builtCollector();
  if (program !== null)
    return startProgram('collector', program, { args: RUN, env: { ...env, ...programEnvironment() }, onLine: log });
  const watch = dev ? ['--watch', '--watch-preserve-output'] : [];
  return startNode('collector', [...watch, ...SMALL_HEAP, join(ROOT, 'collector/src/main.ts'), ...RUN], env, log);
}

export interface LocalCollector extends Started {
  /** Starts it anew, as the program that is built by now. */
  restart(): void;
}

/** Starts the collector of this machine and keeps it running. `verbose` receives what happens to it. */
export async function startLocalCollector(
  at: CollectorPlace,
  options: CollectorOptions & { verbose: (line: string) => void },
): Promise<LocalCollector> {
  await endLeftCollector(at, options.say);
  await forgetStrangeEnrolment(at, options.say);
  let current: Started;
  const kept = keepRunning(() => (current = begin(at, options)), [EXIT_ENROLMENT_DEAD], options.verbose);
  return Object.assign(kept, { restart: () => void current.stop() });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../../../api/src/testing/debian-programs.ts';
import { freePort, until } from '../../../e2e/product.ts';
import { ROOT } from '../../../lib/web-build.ts';
import { isReady } from '../api-process.ts';

/** One process of the API on the shared PostgreSQL. Nothing restarts it by itself. */
export interface Replica {
  name: string;
  port: number;
  signal(signal: NodeJS.Signals): void;
  /** Ends it with a signal. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Starts it and waits until it is ready. Its clock differs from that of the machine by `offsetSeconds`. */
  start(offsetSeconds?: number): Promise<void>;
}

/** Names the replica to PostgreSQL, so that the holder of a lock is known. A URL of several hosts is none for Node. */
const databaseUrlOf = (databaseUrl: string, name: string): string =>
  `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}application_name=${name}`;

/** Environment in which the process reads a clock that is off; timers keep the machine's. */
function clockOffset(seconds: number): Record<string, string> {
  if (seconds === 0) return {};
  const library = findProgram('faketime');
  if (library === null) throw new Error('faketime is not unpacked: run npm test once');
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds > 0 ? '+' : ''}${String(seconds)}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

export async function createReplica(
  name: string,
  folder: string,
  databaseUrl: string,
  env: Record<string, string>,
): Promise<Replica> {
  const port = await freePort();
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { mode: 0o700 });
  let child: ChildProcess | null = null;
  return {
    name,
    port,
    signal: (signal) => void child?.kill(signal),
    end: async (signal) => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      child.kill(signal);
      await ended;
    },
    start: async (offsetSeconds = 0) => {
      const log = openSync(join(folder, `${name}.log`), 'a');
      child = spawn(process.execPath, [join(ROOT, 'api/src/main.ts')], {
        stdio: ['ignore', log, log],
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: databaseUrlOf(databaseUrl, name),
          PLIMSOLL_PORT: String(port),
          PLIMSOLL_DATA_DIR: dataDir,
          PLIMSOLL_LOG_LEVEL: 'warn',
          PLIMSOLL_TRUSTED_PROXIES: '127.0.0.1',
          ...env,
          ...clockOffset(offsetSeconds),
        },
      });
      closeSync(log);
      await until(name, () => isReady(`http://127.0.0.1:${String(port)}`));
    },
  };
}

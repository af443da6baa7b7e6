import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../lib/web-build.ts';
import { type ApiProcess, enrolAgents } from '../api-process.ts';

/** A real collector whose own file opts in to checks. */
export interface Place {
  serverId: string;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Kills it and starts it again with the same state folder. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

/** The sources that cost time: the fault is about checks. */
const DISABLED = 'processes,connections,containers,units,updates,smart,gpu,described';

function placeOf(api: ApiProcess, folder: string, intervalSeconds: number, serverId: string): Place {
  const begin = (): ChildProcess =>
    spawn(process.execPath, [join(ROOT, 'collector/src/main.ts'), 'run'], {
      stdio: ['ignore', 'ignore', 'ignore'],
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        PLIMSOLL_URL: api.url,
        PLIMSOLL_STATE_DIR: folder,
        PLIMSOLL_INTERVAL: String(intervalSeconds),
        PLIMSOLL_CHECKS: 'true',
        PLIMSOLL_CHECK_NETWORKS: '127.0.0.0/8',
        PLIMSOLL_CLOUD_METADATA: 'false',
        PLIMSOLL_DISABLED_SOURCES: DISABLED,
      },
    });
  let child = begin();
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  return {
    serverId,
    signal: (name) => void child.kill(name),
    restart: async () => {
      await end();
      child = begin();
    },
    end,
  };
}

/** Enrols as many hosts as one machine cannot be, and starts a collector for each. */
export async function startPlaces(api: ApiProcess, count: number, intervalSeconds: number): Promise<Place[]> {
  const agents = await enrolAgents(api.url, count);
  return agents.map(({ serverId, token }) => {
    const folder = join(api.dataDir, `place-${serverId}`);
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, 'agent.json'), JSON.stringify({ server_id: serverId, agent_token: token }), {
      mode: 0o600,
    });
    return placeOf(api, folder, intervalSeconds, serverId);
  });
}

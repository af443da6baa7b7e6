import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../e2e/product.ts';
import { ROOT } from '../lib/web-build.ts';
import { enrolAgents, isReady, type ApiProcess } from './api-process.ts';
import type { Verdict } from './fault.ts';
import { acknowledgedIn, judge, readStored } from './oracle.ts';

/** Real spools and senders of many collectors, in one process that reports each second and each. */
export interface Load {
  /** Holds a folder with the spool of each server. */
  folder: string;
  agents: number;
  acknowledged(): string[];
  /** Kills the collectors with SIGKILL. `damage` runs while they are down. */
  restart(damage?: () => void): Promise<void>;
  /** Waits until `count` more reports were acknowledged. */
  progress(count: number): Promise<void>;
  /** Lets every spool empty itself, ends the API and compares what was acknowledged with what is stored. */
  verdict(): Promise<Verdict>;
  stop(): Promise<void>;
}

/** `url` leads to the API, perhaps through a proxy. */
export async function startLoad(api: ApiProcess, agents: number, url = api.url): Promise<Load> {
  const folder = join(api.dataDir, 'load');
  mkdirSync(folder);
  writeFileSync(join(folder, 'agents.json'), JSON.stringify(await enrolAgents(api.url, agents)));
  const begin = (): ChildProcess =>
    spawn(process.execPath, [join(ROOT, 'scripts/e2e/load-collectors.ts'), folder, url], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  let child = begin();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  const acknowledged = (): string[] => acknowledgedIn(folder);
  return {
    folder,
    agents,
    acknowledged,
    restart: async (damage) => {
      await end('SIGKILL');
      damage?.();
      child = begin();
    },
    progress: async (count) => {
      const before = acknowledged().length;
      await until(`${String(count)} acknowledgements`, () => acknowledged().length >= before + count, 120);
    },
    verdict: async () => {
      await until('the API', () => isReady(api.url));
      await end('SIGTERM');
      await api.halt();
      return judge(acknowledged(), await readStored(api.dataDir));
    },
    stop: () => end('SIGKILL'),
  };
}

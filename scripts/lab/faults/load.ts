import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../e2e/product.ts';
import { ROOT } from '../../lib/web-build.ts';
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

/** Real collectors in a process of their own; it runs until it is ended. */
export interface Collectors {
  /** SIGTERM lets every spool empty itself first. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** `folder` holds agents.json. `seconds` is the time between two reports of a server. */
export function startCollectors(folder: string, url: string, seconds = 1): Collectors {
  const script = join(ROOT, 'scripts/lab/faults/load-collectors.ts');
  const child: ChildProcess = spawn(process.execPath, [script, folder, url, String(seconds)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await ended;
    },
  };
}

interface LoadOptions {
  /** Leads to the API, perhaps through a proxy. */
  url?: string;
  /** In each report. */
  processes?: number;
}

export async function startLoad(
  api: ApiProcess,
  agents: number,
  { url = api.url, processes = 0 }: LoadOptions = {},
): Promise<Load> {
  const folder = join(api.dataDir, 'load');
  mkdirSync(folder);
  writeFileSync(join(folder, 'agents.json'), JSON.stringify(await enrolAgents(api.url, agents)));
  writeFileSync(join(folder, 'processes'), String(processes));
  let collectors = startCollectors(folder, url);
  const acknowledged = (): string[] => acknowledgedIn(folder);
  return {
    folder,
    agents,
    acknowledged,
    restart: async (damage) => {
      await collectors.end('SIGKILL');
      damage?.();
      collectors = startCollectors(folder, url);
    },
    progress: async (count) => {
      const before = acknowledged().length;
      await until(`${String(count)} acknowledgements`, () => acknowledged().length >= before + count, 120);
    },
    verdict: async () => {
      await until('the API', () => isReady(api.url));
      await collectors.end('SIGTERM');
      await api.halt();
      return judge(acknowledged(), await readStored(api.dataDir));
    },
    stop: () => collectors.end('SIGKILL'),
  };
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import { findProgram, startProgram } from './debian-programs.ts';
import { freePort } from './free-port.ts';

interface PrometheusSeries {
  labels: Record<string, string>;
  value: number;
}
export interface Prometheus {
  /** Evaluates an expression now. */
  query(expression: string): Promise<PrometheusSeries[]>;
  stop(): Promise<void>;
}

/** Starts Debian's Prometheus with this configuration. */
export async function startPrometheus(config: string): Promise<Prometheus> {
  const folder = mkdtempSync('/tmp/plimsoll-prometheus-');
  const port = await freePort();
  writeFileSync(join(folder, 'prometheus.yml'), config);
  const child = startProgram('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${String(port)}`,
    '--log.level=error',
  ]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = `http://127.0.0.1:${String(port)}`;
  await vi.waitFor(async () => (await fetch(`${url}/-/ready`)).text(), { timeout: 30_000, interval: 20 });
  return {
    query: async (expression) => {
      const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
      const { data } = (await answer.json()) as {
        data: { result: { metric: Record<string, string>; value: [number, string] }[] };
      };
      return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns what `promtool check metrics` says about a text in the exposition format; empty: no problem. */
export function promtoolCheckMetrics(text: string): string {
  const path = findProgram('prometheus');
  if (path === null) throw new Error('prometheus is not unpacked: run npm test once');
  const { stdout, stderr } = spawnSync(join(dirname(path), 'promtool'), ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  return stdout + stderr;
}

import { execFileSync, spawnSync } from 'node:child_process';
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
  url: string;
  /** Evaluates an expression now. */
  query(expression: string): Promise<PrometheusSeries[]>;
  stop(): Promise<void>;
}

const promtool = (): string => {
  const path = findProgram('prometheus');
  if (path === null) throw new Error('prometheus is not unpacked: run npm test once');
  return join(dirname(path), 'promtool');
};

/** Writes the blocks of a past that `openMetrics` holds line by line, as if Prometheus had scraped it. */
function writePast(folder: string, openMetrics: readonly string[]): void {
  const text = join(folder, 'past.txt');
  writeFileSync(text, `${openMetrics.join('\n')}\n# EOF\n`);
  const options = ['--max-block-duration=32h', text, join(folder, 'data')];
  execFileSync(promtool(), ['tsdb', 'create-blocks-from', 'openmetrics', ...options], { stdio: 'ignore' });
  rmSync(text);
}

/** Starts Debian's Prometheus with this configuration, and with a past where one is given. */
export async function startPrometheus(config: string, past: readonly string[] = []): Promise<Prometheus> {
  const folder = mkdtempSync('/tmp/plimsoll-prometheus-');
  const port = await freePort();
  writeFileSync(join(folder, 'prometheus.yml'), config);
  if (past.length > 0) writePast(folder, past);
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
    url,
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
  const { stdout, stderr } = spawnSync(promtool(), ['check', 'metrics'], { input: text, encoding: 'utf8' });
  return stdout + stderr;
}

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../../lib/web-build.ts';
import { quantile } from '../ingest/load.ts';
import { acceptor } from './acceptor.ts';
import { type Candidate, OURS } from './candidates.ts';
import { cpuMs, endTree, type Memory, memoryOf, treeOf } from './process-tree.ts';

export interface Row extends Memory {
  load: string;
  name: string;
  collections: number;
  cpuMsEach: number;
  /** At the interval it is shipped with. */
  cpuMsPerMinute: number;
  /** Numbers of one collection. Null: not counted. */
  figures: number | null;
  /** Milliseconds of a usual collection by source, of ours alone. */
  sources: Map<string, number>;
}

/** Until it collects steadily. */
const SETTLE_MS = 5000;
const PATIENCE_MS = 3000;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The program as it is shipped, built from this checkout. */
export function buildProgram(folder: string): string {
  const target = `linux-${process.arch}`;
  console.log(`building ${target} …`);
  const build = join(ROOT, 'scripts/build-agent.mjs');
  execFileSync(process.execPath, [build, '--target', target, '--out', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const version = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
  execFileSync('tar', [
    '-xzf',
    join(folder, version, `plimsoll-${version}-${target}.tar.gz`),
    '-C',
    folder,
    'plimsoll',
  ]);
  // Pending writes to the disk would take CPU from the measured program.
  execFileSync('sync');
  return join(folder, 'plimsoll');
}

export async function measure(candidate: Candidate, load: string, seconds: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-agent-'));
  const api = await acceptor();
  const { file, argv, env } = candidate.start(folder, api.port);
  const child = spawn(file, argv, { env: { PATH: '/usr/bin:/bin:/usr/sbin', HOME: folder, ...env }, stdio: 'ignore' });
  const pid = child.pid ?? 0;
  const end = (): void => void endTree(pid, 0);
  process.once('exit', end);
  try {
    await sleep(SETTLE_MS);
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    const [cpu, reports, started] = [cpuMs(treeOf(pid)), api.count(), performance.now()];
    let asked = 0;
    while (performance.now() - started < seconds * 1000) {
      await candidate.ask?.(api.port);
      asked += 1;
      await sleep(1000);
    }
    const collections = candidate.name === OURS ? api.count() - reports : asked;
    const tree = treeOf(pid);
    const cpuMsEach = (cpuMs(tree) - cpu) / collections;
    const cpuMsPerMinute = (cpuMsEach * 60) / candidate.everySeconds;
    const figures = candidate.name === OURS ? api.figures() : ((await candidate.figures?.(folder, api.port)) ?? null);
    const sources = new Map(
      [...api.durations()].map(([name, all]) => [
        name,
        quantile(
          all.toSorted((a, b) => a - b),
          0.5,
        ),
      ]),
    );
    return { load, name: candidate.name, ...memoryOf(tree), collections, cpuMsEach, cpuMsPerMinute, figures, sources };
  } finally {
    await endTree(pid, PATIENCE_MS);
    process.off('exit', end);
    api.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

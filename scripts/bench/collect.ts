import { readFileSync } from 'node:fs';
import { hostSources } from '../../collector/src/host-agent.ts';
import { filesUnder } from '../../collector/src/lib/files.ts';
import { collect } from '../../collector/src/report.ts';
import { DEFAULTS } from '../../collector/src/settings.ts';

const ROUNDS = 200;
const WARM_UP = 20;
/** What the sources read on every Linux host, read bare. */
const BARE = ['stat', 'meminfo', 'mounts', 'diskstats', 'net/dev', 'loadavg', 'cpuinfo', 'uptime'].map(
  (name) => `/proc/${name}`,
);

interface Row {
  what: string;
  cpuMs: number;
  wallMs: number;
}

/** CPU and wall milliseconds of one round, the mean over many. */
async function measure(what: string, round: () => unknown): Promise<Row> {
  for (let index = 0; index < WARM_UP; index += 1) await round();
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  for (let index = 0; index < ROUNDS; index += 1) await round();
  const { user, system } = process.cpuUsage(cpu);
  return { what, cpuMs: (user + system) / 1000 / ROUNDS, wallMs: (performance.now() - wall) / ROUNDS };
}

export const help = `CPU of one collection of this host, source by source, beside a bare read of the same files.
  --json  the rows as JSON`;

export async function main(argv: readonly string[]): Promise<void> {
  const files = filesUnder('/');
  const sources = hostSources(DEFAULTS, files);
  let up = 0;
  const now = () => ({ ts: Date.now() / 1000, up: (up += 60) });
  const rows = [
    await measure('readFileSync of the same files', () => BARE.map((path) => readFileSync(path, 'utf8'))),
    await measure('collect, all sources', () => collect(sources, now(), 60, () => performance.now())),
  ];
  for (const source of sources) rows.push(await measure(`  ${source.name}`, () => source.read(now())));
  const base = rows[0]?.cpuMs ?? 1;
  if (argv.includes('--json')) console.log(JSON.stringify(rows));
  else {
    console.log(`CPU of one collection, mean of ${ROUNDS} on this host\n`);
    console.log(`${'what'.padEnd(34)}${'CPU ms'.padStart(10)}${'wall ms'.padStart(10)}${'× bare'.padStart(10)}`);
    for (const { what, cpuMs, wallMs } of rows) {
      const cells = [cpuMs.toFixed(3), wallMs.toFixed(3), (cpuMs / base).toFixed(2)];
      console.log(what.padEnd(34) + cells.map((cell) => cell.padStart(10)).join(''));
    }
  }
}

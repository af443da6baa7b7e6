import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Candidate, candidates, OURS } from './agent/candidates.ts';
import { coldRun } from './agent/cold-run.ts';
import { LOADS, makeLoad, processCount } from './agent/load.ts';
import { buildProgram, measure, type Row } from './agent/measure.ts';
import { shippedMinute } from './agent/shipped.ts';

const COLUMNS = [
  'RSS MB',
  'private MB',
  'n',
  'CPU ms each',
  'CPU ms/min',
  '× RSS',
  '× private',
  '× CPU each',
  '× CPU/min',
];

function print(rows: readonly Row[]): void {
  console.log(`\n${'load'.padEnd(18)}${'program'.padEnd(16)}${COLUMNS.map((cell) => cell.padStart(12)).join('')}`);
  for (const row of rows) {
    const base = rows.find(({ load, name }) => load === row.load && name === OURS);
    const ratio = (of: (one: Row) => number): string => (base && of(base) > 0 ? (of(row) / of(base)).toFixed(2) : '–');
    const cells = [
      row.rssMb.toFixed(1),
      row.privateMb.toFixed(1),
      String(row.collections),
      row.cpuMsEach.toFixed(1),
      row.cpuMsPerMinute.toFixed(0),
      ratio((one) => one.rssMb),
      ratio((one) => one.privateMb),
      ratio((one) => one.cpuMsEach),
      ratio((one) => one.cpuMsPerMinute),
    ];
    console.log(row.load.padEnd(18) + row.name.padEnd(16) + cells.map((cell) => cell.padStart(12)).join(''));
  }
  console.log(`
Ratios: the program's figure by ours of the same load. Private: memory that no file backs (Anonymous of smaps_rollup).
CPU ms each: one collection a second, children counted. CPU ms/min: reckoned from these warm collections at the interval
each is shipped with. A collection after a minute of sleep costs more, as the last line shows for ours (plimsoll 60 s, node_exporter asked every 15 s, collectd 10 s, glances 3 s, netdata 1 s).
bare read: /proc/PID/stat of each process and both tables of sockets, read and thrown away: the kernel's part.`);
}

/** Sources that take less are summed up. */
const WORTH_A_LINE_MS = 0.3;

/** Prints the time of each source of ours, and of all else: the report as text, its compression, the spool, the request. */
function printSources(rows: readonly Row[]): void {
  const ours = rows.filter(({ name }) => name === OURS);
  const names = [...new Set(ours.flatMap(({ sources }) => [...sources.keys()]))];
  const isLarge = (name: string): boolean => ours.some(({ sources }) => (sources.get(name) ?? 0) >= WORTH_A_LINE_MS);
  const [large, small] = [names.filter(isLarge), names.filter((name) => !isLarge(name))];
  const sum = ({ sources }: Row, of: readonly string[]): number =>
    of.reduce((total, name) => total + (sources.get(name) ?? 0), 0);
  const lines: [string, (row: Row) => number][] = [
    ...large.map((name): [string, (row: Row) => number] => [name, (row) => sum(row, [name])]),
    ['all other sources', (row) => sum(row, small)],
    ['all else', (row) => Math.max(0, row.cpuMsEach - sum(row, names))],
  ];
  console.log(`\n${'ms of a collection'.padEnd(22)}${ours.map(({ load }) => load.padStart(18)).join('')}`);
  for (const [name, of] of lines)
    console.log(name.padEnd(22) + ours.map((row) => of(row).toFixed(1).padStart(18)).join(''));
  console.log('all else: CPU of the report as text, its compression, its storage on disk and its request.');
}

function printColdRun(program: string): void {
  const { runtimeMs, collectionMs } = coldRun(program);
  const [all, start] = [collectionMs.toFixed(1), runtimeMs.toFixed(1)];
  console.log(
    `\nCold run (once --print, from the start of the program to its end): ${all} ms CPU, of which the start ${start} ms.`,
  );
}

/** Prints what no reckoning shows: the program at the interval it is shipped with. */
async function printShipped(program: string, minutes: number): Promise<void> {
  const minute = await shippedMinute(program, minutes);
  const text = minute.map((ms) => ms.toFixed(0)).join(', ');
  console.log(`\nAs shipped, one collection a minute: ${text} ms CPU in each of ${String(minutes)} minutes.`);
}

async function measureAll(here: readonly Candidate[], seconds: number): Promise<Row[]> {
  const rows: Row[] = [];
  let done = 0;
  for (const load of LOADS) {
    const end = await makeLoad(load);
    try {
      for (const candidate of here) {
        done += 1;
        const at = `${done}/${LOADS.length * here.length} ${load.name} (${processCount()} processes now), ${candidate.name}`;
        try {
          const row = await measure(candidate, load.name, seconds);
          rows.push(row);
          console.log(`${at}: ${row.cpuMsEach.toFixed(1)} ms, RSS ${row.rssMb.toFixed(1)} MB`);
        } catch (error) {
          console.log(`${at}: left out, ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    } finally {
      await end();
    }
  }
  return rows;
}

export const help = `Memory and CPU of the collector beside other collectors in the same run, each collecting once a second: 200 and 2,000
processes, 5,000 sockets; then a cold run, and ours at the interval of a minute. About twelve minutes; a peer that is not installed is left out, by name.
  --seconds N     how long each is measured (default 20)
  --minutes N     how long ours is measured at its own interval (default 3)
  --program FILE  a collector built before, instead of building one`;

export async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string): string | null => argv[argv.indexOf(name) + 1 || argv.length] ?? null;
  const seconds = Number(option('--seconds') ?? 20);
  const folder = mkdtempSync(join(tmpdir(), 'bench-agent-build-'));
  process.once('SIGINT', () => process.exit(130));
  try {
    const program = option('--program') ?? buildProgram(folder);
    const all = candidates(program);
    const here = all.filter(({ needs }) => existsSync(needs));
    for (const { name, get } of all.filter((one) => !here.includes(one))) console.log(`left out: ${name} (${get})`);
    const rows = await measureAll(here, seconds);
    console.log(`\nload average at the end: ${readFileSync('/proc/loadavg', 'utf8').split(' ', 3).join(' ')}`);
    print(rows);
    printSources(rows);
    printColdRun(program);
    await printShipped(program, Number(option('--minutes') ?? 3));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

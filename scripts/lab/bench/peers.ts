import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DebianProgram, findProgram, unpackProgram } from '../../../api/src/testing/debian-programs.ts';
import { candidates, OURS } from './agent/candidates.ts';
import { buildProgram, measure, type Row } from './agent/measure.ts';
import { described, FLEET, type ServerFigures } from './peers/figures.ts';
import { measurePlimsoll } from './peers/plimsoll.ts';
import { measurePrometheus } from './peers/prometheus.ts';

const PROGRAMS: readonly DebianProgram[] = ['prometheus', 'node-exporter', 'zabbix-agent2', 'collectd'];
const AGENTS = [OURS, 'node_exporter', 'zabbix-agent2', 'collectd'];

const table = (head: readonly string[], rows: readonly (readonly string[])[]): void => {
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
};

function printAgents(rows: readonly Row[]): void {
  const base = rows.find(({ name }) => name === OURS);
  const ratio = (value: number, of: (row: Row) => number): string =>
    base === undefined ? '–' : (value / of(base)).toFixed(2);
  table(
    ['agent', 'private MB', '× ours', 'CPU ms a collection', '× ours', 'figures', 'CPU µs a figure'],
    rows.map((row) => [
      row.name,
      row.privateMb.toFixed(1),
      ratio(row.privateMb, ({ privateMb }) => privateMb),
      row.cpuMsEach.toFixed(1),
      ratio(row.cpuMsEach, ({ cpuMsEach }) => cpuMsEach),
      String(row.figures ?? '–'),
      row.figures === null ? '–' : ((row.cpuMsEach * 1000) / row.figures).toFixed(1),
    ]),
  );
}

function printServers(servers: readonly ServerFigures[]): void {
  table(
    ['', ...servers.map(({ name }) => name)],
    [
      ['first figure, s', ...servers.map(({ firstSeconds }) => firstSeconds.toFixed(1))],
      ['first use of the CPU, s', ...servers.map(({ firstCpuSeconds }) => firstCpuSeconds.toFixed(1))],
      ["CPU of one host's minute, ms", ...servers.map(({ cpuMsPerHost }) => cpuMsPerHost.toFixed(2))],
      ['figures of it that a query finds', ...servers.map(({ figuresPerHost }) => figuresPerHost.toFixed(0))],
      ['CPU a stored figure, µs', ...servers.map((one) => ((1000 * one.cpuMsPerHost) / one.figuresPerHost).toFixed(1))],
      ['bytes a stored figure', ...servers.map(({ bytesPerFigure }) => bytesPerFigure.toFixed(1))],
      ['24 h of one host, ms p50 / p95', ...servers.map(({ oneHost }) => described(oneHost))],
      [`24 h of ${String(FLEET)} hosts, ms p50 / p95`, ...servers.map(({ fleet }) => described(fleet))],
    ],
  );
}

export const help = `Our collector beside node_exporter, zabbix-agent2 and collectd, and our server beside Prometheus, in one run on this machine:
memory, CPU, bytes, time to the first figure, and the charts of a day of one host and of 200. About 13 minutes. Debian's
packages are unpacked below .cache, not installed.
  --seconds N     how long each agent is measured, one collection a second (default 30)
  --minutes N     how long each server is measured (default 3)
  --program FILE  a collector built before, instead of building one`;

export async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string): string | null => argv[argv.indexOf(name) + 1 || argv.length] ?? null;
  const seconds = Number(option('--seconds') ?? 30);
  const minutes = Number(option('--minutes') ?? 3);
  const say = (line: string): void => console.error(line);
  for (const program of PROGRAMS)
    if (findProgram(program) === null) {
      say(`unpacking ${program} …`);
      unpackProgram(program);
    }
  const folder = mkdtempSync(join(tmpdir(), 'bench-peers-build-'));
  try {
    say(`load before: ${loadavg()[0]?.toFixed(1) ?? '?'}`);
    const program = option('--program') ?? buildProgram(folder);
    const agents: Row[] = [];
    for (const candidate of candidates(program).filter(({ name }) => AGENTS.includes(name))) {
      if (!existsSync(candidate.needs)) throw new Error(`${candidate.name}: ${candidate.needs} does not exist`);
      say(`${candidate.name}: ${String(seconds)} s`);
      agents.push(await measure(candidate, 'as it is', seconds));
    }
    const servers = [await measurePlimsoll(program, minutes, say), await measurePrometheus(minutes, say)];
    printAgents(agents);
    console.log();
    printServers(servers);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

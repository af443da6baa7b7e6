/**
 * Collects of one machine over and over in the runtime of the shipped program. Run: bun collector.ts FOLDER INDEX COUNT.
 * Prints the CPU milliseconds of each collection and what a report holds, as JSON.
 */
import { collect, linuxSources } from '../../../../collector/src/report.ts';
import { filesUnder } from '../../../../collector/src/runtime/files.ts';
import { WIDE_HOSTS } from './machines.ts';

const [folder = '', index = '0', count = '30'] = process.argv.slice(2);
const host = WIDE_HOSTS[Number(index)];
if (host === undefined) throw new Error(`no such machine: ${index}`);

const settings = { region: null, collectorVersion: '1.0.0', architecture: 'x64', stripArguments: false };
const sources = linuxSources(
  filesUnder(folder),
  () => Promise.reject(new Error('no program')),
  { ...settings, smart: false, gpu: false, zpool: false, watchedProcesses: [], watchedFiles: [] },
  async (path) => {
    const sizeBytes = host.sizeBytes(path);
    return { sizeBytes, freeBytes: sizeBytes / 2, availableBytes: sizeBytes / 2, inodes: 1e6, inodesFree: 5e5 };
  },
);

const cpuMs: number[] = [];
let report: object = {};
for (let round = 0; round < Number(count); round += 1) {
  const before = process.cpuUsage();
  const { report: made } = await collect(sources, { ts: 1.79e9 + round * 60, up: 864_000 + round * 60 }, 60, () => 0);
  const { user, system } = process.cpuUsage(before);
  cpuMs.push((user + system) / 1000);
  report = made;
}
const lengths = Object.entries(report).flatMap(([part, list]) => (Array.isArray(list) ? [[part, list.length]] : []));
process.stdout.write(JSON.stringify({ cpuMs, lengths: Object.fromEntries(lengths) }));

import { errorText } from '@plimsoll/contract/rules/error-text';
import {
  type DebianProgram,
  findProgram,
  packagesOf,
  unpackProgram,
} from '../../../api/src/testing/debian-programs.ts';
import { isDebianRoot } from '../../test/tools.ts';
import { writeTable, type Row } from './table.ts';
import type { Fault } from './fault.ts';
import { attacks } from './attacks.ts';
import { backup } from './backup.ts';
import { checks } from './checks/fault.ts';
import { flood } from './flood.ts';
import { fullDisks } from './full-disks.ts';
import { intake } from './intake/fault.ts';
import { kills } from './kills.ts';
import { labels } from './labels.ts';
import { lossy } from './lossy.ts';
import { memory } from './memory.ts';
import { overload } from './overload.ts';
import { patroni } from './patroni/fault.ts';
import { replicas } from './replicas/fault.ts';
import { slow } from './slow.ts';
import { switchover } from './switchover/fault.ts';
import { spool } from './spool.ts';
import { upgrade } from './upgrade.ts';
import { changed, hashOfFault, recordHeld } from './verified.ts';
import { ROOT } from '../../lib/web-build.ts';

/**
 * They run when they are named: one takes as long as all the others together, `npm test` runs the tests of another, and
 * `intake` has not held yet for reports of nodes.
 */
const BY_NAME: readonly Fault[] = [memory, attacks, intake];
const OTHERS: readonly Fault[] = [
  kills,
  spool,
  lossy,
  flood,
  overload,
  slow,
  fullDisks,
  labels,
  backup,
  checks,
  upgrade,
  replicas,
  switchover,
  patroni,
];
const NAMED = BY_NAME.map(({ name }) => name).join(', ');
const FAULTS = [...BY_NAME, ...OTHERS];

const usage = `Usage: npm run test:faults -- [NAME…|ci] [--quick] [--list]
Does harm to the real product and checks that nothing acknowledged is lost, nothing is doubled, and it recovers.
Writes the rows of those that ran into the table of docs/reliability.md. Without a name it runs all but ${NAMED}.
NAME: ${FAULTS.map(({ name }) => name).join(', ')}
  ci       those whose files changed since they held (scripts/lab/faults/verified), with CI_FULL=1 all but ${NAMED}
  --quick  a short part of each; writes no table and no hash
  --list   names, what is done, and minutes
Exit 0 all held, 1 one did not hold, 2 unknown name or option.`;

const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('--'));
const isCi = words.includes('ci');
const names = words.filter((word) => !word.startsWith('--') && word !== 'ci');
const unknown = [
  ...options.filter((word) => !['--quick', '--list', '--help'].includes(word)),
  ...names.filter((name) => !FAULTS.some((fault) => fault.name === name)),
];

if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}.\n${usage}`);
  process.exitCode = 2;
} else if (options.includes('--help')) console.log(usage);
else if (options.includes('--list'))
  for (const { name, does, minutes } of FAULTS)
    console.log(`${name.padEnd(16)} ${String(minutes).padStart(3)} min  ${does}`);
else process.exitCode = await runAll(options.includes('--quick'));

async function runAll(isQuick: boolean): Promise<number> {
  const chosen = isCi ? notVerified() : names.length === 0 ? OTHERS : FAULTS.filter(({ name }) => names.includes(name));
  if (chosen.length === 0) console.log('faults: verified before, skipped');
  const rows: Row[] = [];
  for (const fault of chosen) {
    const missing = bring(fault.programs ?? []) ?? fault.missing?.() ?? null;
    if (missing !== null) {
      console.log(`skipped ${fault.name}: ${missing}`);
      continue;
    }
    console.log(`${fault.name}: ${fault.does} …`);
    const begun = performance.now();
    // Taken before the run: what changes meanwhile was not tested.
    const hash = hashOfFault(ROOT, fault.name);
    const log = (line: string): void => console.log(`${fault.name}: ${line}`);
    const verdict = await fault
      .run({ isQuick, log })
      .catch((error: unknown) => ({ isHeld: false, figures: errorText(error) }));
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(`${verdict.isHeld ? 'held' : 'NOT HELD'} ${fault.name} (${seconds} s): ${verdict.figures}`);
    rows.push({ name: fault.name, does: fault.does, ...verdict });
    if (isQuick) continue;
    if (verdict.isHeld) recordHeld(ROOT, fault.name, hash);
    // After each, so that a run that is ended leaves what it found.
    writeTable(rows);
  }
  return rows.every(({ isHeld }) => isHeld) ? 0 : 1;
}

/** Unpacks programs of Debian that are not there. Returns why it cannot, and the remedy; null: all are there. */
function bring(programs: readonly DebianProgram[]): string | null {
  for (const program of programs.filter((name) => findProgram(name) === null)) {
    const packages = packagesOf(program).join(' ');
    if (!isDebianRoot())
      return `${program} is missing: run it as root on Debian, which unpacks ${packages} below .cache`;
    console.log(`unpacking ${packages}`);
    unpackProgram(program);
  }
  return null;
}

function notVerified(): readonly Fault[] {
  if (process.env['CI_FULL'] === '1') return OTHERS;
  const wanted = changed(
    ROOT,
    FAULTS.map(({ name }) => name),
  );
  return FAULTS.filter(({ name }) => wanted.includes(name));
}

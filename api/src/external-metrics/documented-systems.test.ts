import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The table of systems in docs/bring-your-agent.md says what the tests of whole machines show, and nothing more. */
const MACHINES = join(import.meta.dirname, 'testing/machines');
const DOCUMENT = join(import.meta.dirname, '../../../docs/bring-your-agent.md');

interface Expected {
  report: {
    cpu?: { io_wait_percent: number | null };
    memory?: object;
    filesystems?: unknown[];
    disks?: unknown[];
    interfaces?: unknown[];
    load?: object;
    tcp?: { retransmits_per_second: number | null };
  };
}
const parts = ['CPU', 'IO wait', 'memory', 'filesystems', 'disks', 'network', 'load', 'retransmits'] as const;

const arrivesAt = ({ report }: Expected): boolean[] => [
  report.cpu !== undefined,
  report.cpu?.io_wait_percent != null,
  report.memory !== undefined,
  report.filesystems !== undefined,
  report.disks !== undefined,
  report.interfaces !== undefined,
  report.load !== undefined,
  report.tcp?.retransmits_per_second != null,
];

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const lines = readFileSync(DOCUMENT, 'utf8').split('\n');
const head = lines.findIndex((line) => line.startsWith('| system | agent | test |'));
const rows = lines
  .slice(
    head + 2,
    lines.findIndex((line, index) => index > head && !line.startsWith('|')),
  )
  .map(cellsOf);

test('the table names the parts in the order of this test', () => {
  expect(cellsOf(lines[head] ?? '').slice(3)).toEqual(parts);
});

test('every machine of the tests has a row, marked as it was made', () => {
  const names = readdirSync(MACHINES).map((name) => `${madeHow(name)} \`${name}\``);
  expect(rows.map(([, , made]) => made).filter((made) => made?.includes('`') && !made.includes('.'))).toEqual(
    expect.arrayContaining(names),
  );
});

const madeHow = (name: string): string =>
  /^# (captured|rebuilt)/.exec(readFileSync(join(MACHINES, name, 'machine.txt'), 'utf8'))?.[1] ?? 'not said';

test.each(readdirSync(MACHINES))('what arrives of %s', (name) => {
  const expected = JSON.parse(readFileSync(join(MACHINES, name, 'expected.json'), 'utf8')) as Expected;
  const row = rows.find(([, , made]) => made?.includes(`\`${name}\``));
  expect(row?.slice(3).map((cell) => cell === 'yes')).toEqual(arrivesAt(expected));
});

test('a system without a test of its own claims nothing', () => {
  const others = rows.filter(([, , made]) => made?.startsWith('none'));
  expect(others.length).toBeGreaterThan(0);
  for (const row of others) expect(new Set(row.slice(3))).toEqual(new Set(['?']));
});

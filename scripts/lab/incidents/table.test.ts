import { expect, test } from 'vitest';
import * as table from './table.ts';
import { exampleRun } from './testing.ts';

const { meanScore } = table;
const incidentTable = (results: Parameters<typeof table.incidentTable>[0]) =>
  table.incidentTable(results, '## Replayed\n', ['image-missing', 'silent']);

const rowOf = (text: string, name: string): string =>
  text.split('\n').find((line) => line.startsWith(`| ${name}`)) ?? '';

test('a row has fault, truth, accused, seconds, score and baseline', () => {
  const row = rowOf(incidentTable([exampleRun()]), 'image-missing');
  expect(row).toBe(
    '| image-missing | catalog is changed to an image tag that does not exist | workload catalog: no image | workload catalog | 61 | 1.00 | 0.00 |',
  );
});

test('several runs of one incident show the mean and the worst', () => {
  const second = exampleRun({ round: 2, scores: { early: 0, late: 0.5 }, secondsToIncident: 70 });
  const text = incidentTable([exampleRun(), second]);
  expect(rowOf(text, 'image-missing')).toContain('| 61, 70 | 0.75 (worst 0.50 of 2) |');
  expect(text).toContain('more than once: 0.50.');
});

test('a run without an alert, one that was not asked, a decoy and a replayed one say so', () => {
  const none = exampleRun({ incident: 'silent', secondsToIncident: null, scores: { early: 0, late: 0 } });
  expect(rowOf(incidentTable([none]), 'silent')).toContain('| no alert | – | 0.00 | 0.00 |');
  const unasked = exampleRun({ incident: 'unasked', scores: null, decoy: 'x', isReplayed: true });
  const row = rowOf(incidentTable([unasked]), 'unasked');
  expect(row).toContain('| unasked (decoy, replayed) |');
  expect(row).toContain('| not asked | 61 | N/A |');
});

test('the mean counts each incident once, however often it ran', () => {
  const runs = [
    exampleRun({ scores: { early: 0, late: 1 } }),
    exampleRun({ round: 2, scores: { early: 0, late: 1 } }),
    exampleRun({ incident: 'other', scores: { early: 0, late: 0 } }),
  ];
  expect(meanScore(runs, ({ scores }) => scores?.late ?? null)).toBe(0.5);
  expect(meanScore([], () => 1)).toBeNull();
});

test('a bar in a text does not break the table', () => {
  const row = rowOf(incidentTable([exampleRun({ fault: 'a | b' })]), 'image-missing');
  expect(row).toContain('a \\| b');
});

test('healthy stretches have a section of their own', () => {
  const healthy = exampleRun({
    incident: 'calm',
    causes: [],
    accused: { early: [], late: [] },
    secondsToIncident: null,
  });
  const text = incidentTable([healthy]);
  expect(text.slice(text.indexOf('## Healthy stretches'))).toContain('| calm |');
  expect(text).toContain('| healthy stretches | 1 | 1.00 |');
});

test('it says what ran more than once, and what did not run', () => {
  const text = incidentTable([exampleRun(), exampleRun({ round: 2, commit: 'other' })]);
  expect(text).toContain('2 runs of 2 states, each newer');
  expect(text).toContain('More than once: image-missing.\n  Not run: silent.');
});

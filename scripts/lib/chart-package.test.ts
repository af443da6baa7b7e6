import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { chartArchive } from './chart-package.ts';

test('the package is a tar archive with the chart below its name, and no values for tests', async () => {
  const names = execFileSync('tar', ['-tzf', '-'], { input: await chartArchive(), encoding: 'utf8' })
    .trim()
    .split('\n');
  expect(names).toEqual(
    expect.arrayContaining([
      'plimsoll/Chart.yaml',
      'plimsoll/values.yaml',
      'plimsoll/values.schema.json',
      'plimsoll/.helmignore',
      'plimsoll/templates/node-agent/daemonset.yaml',
    ]),
  );
  expect(names.filter((name) => !name.startsWith('plimsoll/') || name.includes('/ci/'))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('the same chart gives the same bytes', async () => {
  expect((await chartArchive()).equals(await chartArchive())).toBe(true);
});

import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyDemoFolder, markDemoFolder } from './folder.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'plimsoll-demo-'));

it('empties a folder of its own, with the database elsewhere', async () => {
  const [data, cluster] = [folder(), join(folder(), 'postgres')];
  mkdirSync(cluster);
  markDemoFolder(data);
  writeFileSync(join(data, 'secret.key'), 'x');
  await emptyDemoFolder(data, () => cluster);
  expect([existsSync(data), existsSync(cluster)]).toEqual([false, false]);
});

it('refuses a folder with data of somebody else, and deletes nothing', async () => {
  const [data, cluster] = [folder(), join(folder(), 'postgres')];
  mkdirSync(cluster);
  writeFileSync(join(data, 'secret.key'), 'x');
  await expect(emptyDemoFolder(data, () => cluster)).rejects.toThrow(
    /holds data that is not of the demo\. Move it away/,
  );
  expect([readdirSync(data), existsSync(cluster)]).toEqual([['secret.key'], true]);
});

it('refuses while the demo runs', async () => {
  const data = folder();
  markDemoFolder(data);
  writeFileSync(join(data, 'api.pid'), `${String(process.pid)}\n`);
  await expect(emptyDemoFolder(data, () => data)).rejects.toThrow(/runs already as process \d+\. Stop it first/);
  expect(readdirSync(data)).toContain('demo-data');
});

it('takes a folder that is empty or missing, without a look at the database', async () => {
  const never = (): string => {
    throw new Error('asked for the database');
  };
  const data = folder();
  await emptyDemoFolder(data, never);
  await emptyDemoFolder(join(data, 'missing'), never);
  expect(readdirSync(data)).toEqual([]);
});

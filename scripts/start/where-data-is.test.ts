import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { machineFolders } from '../../api/src/database/embedded/places.ts';
import { ROOT } from '../lib/web-build.ts';
import { dataFolder, whereDataIs } from './start.ts';

const home = mkdtempSync(join(tmpdir(), 'plimsoll-where-'));
chmodSync(home, 0o711);
afterAll(() => rmSync(home, { recursive: true }));
const isRoot = process.getuid?.() === 0;
const system = join(home, 'system');
const machine = { ...machineFolders(), system, run: join(home, 'run') };

test('the demo has a folder of its own beside that of the real data', () => {
  expect(dataFolder(true, {})).toBe(join(ROOT, '.plimsoll-demo'));
  expect(dataFolder(false, {})).toBe(join(ROOT, '.plimsoll'));
  const env = { PLIMSOLL_DATA_DIR: '/srv/plimsoll/' };
  expect(dataFolder(false, env)).toBe('/srv/plimsoll/');
  expect(dataFolder(true, env)).toBe('/srv/plimsoll-demo');
  expect(dataFolder(true, { ...env, PLIMSOLL_DEMO_DATA_DIR: '/tmp/demo' })).toBe('/tmp/demo');
});

describe('the line that says Plimsoll is ready', () => {
  test('names the data folder, where the database is, too', () => {
    const dataDir = join(home, 'open');
    expect(whereDataIs(dataDir, undefined, machine)).toBe(`data in ${dataDir}`);
  });

  test('names the operator’s database, but not its password', () => {
    const told = whereDataIs(join(home, 'open'), 'postgresql://plimsoll:hunter2@db/plimsoll', machine);
    expect(told).toBe(`data in ${join(home, 'open')}, database at DATABASE_URL`);
  });

  test.runIf(isRoot)('names both places when the database’s user may not enter the folder', () => {
    const closed = join(home, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const told = whereDataIs(join(closed, '.plimsoll'), undefined, machine);
    const [base = ''] = readdirSync(system);
    expect(told).toBe(
      `data in ${join(closed, '.plimsoll')}; its database in ${join(system, base)}, which stays when that folder is removed`,
    );
  });
});

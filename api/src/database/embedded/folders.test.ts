import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  clearSockets,
  createDataFolder,
  createPassage,
  createPrivate,
  createPrivateInPublic,
  takeOver,
} from './folders.ts';

const isRoot = process.getuid?.() === 0;
const own = process.getuid?.() ?? 0;
/** A user of the machine that is neither root nor the database's; nothing of it runs. */
const STRANGER = 64_242;
const DATABASE = { name: 'database', uid: 64_243, gid: 64_243 };

const home = mkdtempSync(join(tmpdir(), 'plimsoll-folders-'));
chmodSync(home, 0o755);
afterAll(() => rmSync(home, { recursive: true }));
let count = 0;
let path = '';
beforeEach(() => {
  path = join(home, `f${String((count += 1))}`);
});

const modeOf = (folder: string): number => lstatSync(folder).mode & 0o777;
const folder = (mode: number, uid = own): string => {
  mkdirSync(path);
  chmodSync(path, mode);
  if (uid !== own) chownSync(path, uid, uid);
  return path;
};
const unsafe = (problem: RegExp) =>
  expect.objectContaining({ code: 'unsafe_folder', message: expect.stringMatching(problem) as string });

describe('a folder of our own in /tmp', () => {
  const make = () => createPrivateInPublic(path, 'Remove it.');

  test('is created for us alone, and accepted again', () => {
    make();
    make();
    expect(modeOf(path)).toBe(0o700);
  });

  test('is not a symbolic link, wherever it leads', () => {
    const target = `${path}-target`;
    mkdirSync(target, { mode: 0o700 });
    symlinkSync(target, path);
    expect(make).toThrow(unsafe(/f\d+: is a symbolic link\. Remove it\./));
    rmSync(target, { recursive: true });
    expect(make).toThrow(unsafe(/symbolic link/));
  });

  test('is not a file', () => {
    writeFileSync(path, '');
    expect(make).toThrow(unsafe(/is not a folder/));
  });

  test('is not open to others', () => {
    folder(0o777);
    expect(make).toThrow(unsafe(/is open to others \(mode 0777\)/));
  });

  test.runIf(isRoot)('does not belong to somebody else, and is left as it is', () => {
    folder(0o700, STRANGER);
    expect(make).toThrow(unsafe(/belongs to user 64242/));
    expect(lstatSync(path).uid).toBe(STRANGER);
  });

  test('has no parents created for it', () => {
    path = join(path, 'below');
    expect(make).toThrow(unsafe(/creating the folder failed \(ENOENT\)/));
  });
});

describe('the data folder', () => {
  const make = () => createDataFolder(path);

  test('is created with its parents, for others to pass through but not to list', () => {
    path = join(path, 'parent', 'data');
    expect(make()).toBe(path);
    expect(make()).toBe(path);
    expect(modeOf(path)).toBe(0o711);
  });

  test('may be a symbolic link of ours', () => {
    const target = `${path}-target`;
    mkdirSync(target);
    symlinkSync(target, path);
    expect(make()).toBe(target);
  });

  test.runIf(isRoot)('is not a symbolic link of somebody else', () => {
    const target = `${path}-target`;
    mkdirSync(target);
    symlinkSync(target, path);
    lchownSync(path, STRANGER, STRANGER);
    expect(make).toThrow(unsafe(/belongs to user 64242\. Set PLIMSOLL_DATA_DIR .*chown root/));
  });

  test.runIf(isRoot).each([0o777, 0o1777, 0o2775])('as root is not one that others may write to: %o', (mode) => {
    mkdirSync(path);
    chownSync(path, 0, mode === 0o2775 ? STRANGER : 0);
    chmodSync(path, mode);
    expect(make).toThrow(unsafe(/can be written by others/));
  });

  test.runIf(isRoot)('as root is not one of somebody else', () => {
    folder(0o711, STRANGER);
    expect(make).toThrow(unsafe(/belongs to user 64242/));
    expect(() => createPassage(path, 'Remove it.')).toThrow(unsafe(/belongs to user 64242\. Remove it\./));
  });
});

describe('a folder of the database’s user', () => {
  test('is for it alone, also when it was open before', () => {
    folder(0o777);
    createPrivate(path, null, 'Remove it.');
    expect(modeOf(path)).toBe(0o700);
  });

  test('is not a symbolic link', () => {
    symlinkSync(home, path);
    expect(() => createPrivate(path, null, 'Remove it.')).toThrow(unsafe(/symbolic link/));
  });

  test.runIf(isRoot)('belongs to it from the start', () => {
    createPrivate(path, DATABASE, 'Remove it.');
    expect(lstatSync(path)).toMatchObject({ uid: DATABASE.uid, gid: DATABASE.gid });
  });

  test.runIf(isRoot)('passes from an earlier user to this one without the sockets of that one', () => {
    folder(0o700, STRANGER);
    createPrivate(path, DATABASE, 'Remove it.');
    expect(lstatSync(path).uid).toBe(STRANGER);
    for (const [name, uid] of [
      ['earlier', STRANGER],
      ['running', DATABASE.uid],
    ] as const) {
      writeFileSync(join(path, name), '');
      chownSync(join(path, name), uid, uid);
    }
    clearSockets(path, DATABASE);
    expect(lstatSync(path)).toMatchObject({ uid: DATABASE.uid, gid: DATABASE.gid });
    expect(readdirSync(path)).toEqual(['running']);
  });
});

describe.runIf(isRoot)('a cluster of an earlier user', () => {
  const cluster = (): void => {
    mkdirSync(join(path, 'base', '1'), { recursive: true });
    for (const name of ['PG_VERSION', 'pg_hba.conf', 'base/1/PG_VERSION', 'base/1/foreign'])
      writeFileSync(join(path, name), '');
    for (const name of ['', 'PG_VERSION', 'pg_hba.conf', 'base', 'base/1', 'base/1/PG_VERSION'])
      chownSync(join(path, name), STRANGER, STRANGER);
  };
  const ownerOf = (name: string): number => lstatSync(join(path, name)).uid;

  test('passes to this one, but what belongs to a third user, or lies behind a link, does not', () => {
    cluster();
    const outside = `${path}-outside`;
    writeFileSync(outside, '');
    chownSync(outside, STRANGER, STRANGER);
    symlinkSync(outside, join(path, 'base', 'link'));
    lchownSync(join(path, 'base', 'link'), STRANGER, STRANGER);
    expect(takeOver(path, DATABASE)).toBe(true);
    for (const name of ['', 'PG_VERSION', 'pg_hba.conf', 'base', 'base/1', 'base/1/PG_VERSION', 'base/link'])
      expect([name, ownerOf(name)]).toEqual([name, DATABASE.uid]);
    expect(ownerOf('base/1/foreign')).toBe(0);
    expect(lstatSync(outside).uid).toBe(STRANGER);
    expect(takeOver(path, DATABASE)).toBe(false);
  });

  test('passes to this one also after an interrupted start', () => {
    cluster();
    for (const name of ['', 'base']) chownSync(join(path, name), DATABASE.uid, DATABASE.gid);
    expect(takeOver(path, DATABASE)).toBe(true);
    for (const name of ['PG_VERSION', 'base/1', 'base/1/PG_VERSION']) expect(ownerOf(name)).toBe(DATABASE.uid);
  });

  test('is not taken from root, to whom anything may belong', () => {
    cluster();
    chownSync(join(path, 'PG_VERSION'), 0, 0);
    expect(() => takeOver(path, DATABASE)).toThrow(unsafe(/belongs to root\. .*chown -R database/));
    expect(ownerOf('base')).toBe(STRANGER);
  });
});

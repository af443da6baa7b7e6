import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { poolConfigOf, silentLogger } from '../connection.ts';
import type { Connection } from '../connection.ts';
import { createLibraryLinks, packagedBinaries, usableBinaries } from './binaries.ts';
import { makePlaces } from './places.ts';
import { isAlive, postmasterOf, stopPostmaster } from './postmaster.ts';
import { runAsUser } from './run-as.ts';
import { startEmbedded } from './start-embedded.ts';
import type { Embedded } from './start-embedded.ts';

const isRoot = process.getuid?.() === 0;
const home = mkdtempSync('/tmp/plimsoll-embedded-');
chmodSync(home, 0o755);
let folders = 0;
const newFolder = (): string => join(home, `d${(folders += 1)}`);
const clusterIn = (dataDir: string): string => join(dataDir, 'postgres');
const pidOf = (dataDir: string): number => postmasterOf(clusterIn(dataDir)) ?? 0;

const running: Embedded[] = [];
const start = async (dataDir: string, native?: string): Promise<Embedded> => {
  const embedded = await startEmbedded({ dataDir, logger: silentLogger, ...(native === undefined ? {} : { native }) });
  running.push(embedded);
  return embedded;
};
const query = async (connection: Connection, text: string): Promise<Record<string, unknown>[]> => {
  const client = new Client(poolConfigOf(connection));
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};
/** A Plimsoll of its own process, to be killed; resolves when its database answers. */
const startInChild = async (dataDir: string): Promise<ChildProcess> => {
  const script = `import { startEmbedded } from ${JSON.stringify(new URL('./start-embedded.ts', import.meta.url).href)};
    const log = { info() {}, warn() {}, error() {} };
    const embedded = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, logger: log });
    process.on('SIGTERM', async () => { await embedded.stop(); process.exit(0); });
    setInterval(() => {}, 1000);
    console.log('up');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
};

afterEach(async () => {
  await Promise.all(running.splice(0).map((embedded) => embedded.stop()));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('programs', () => {
  const copyWithoutLinks = (): string => {
    const native = join(newFolder(), 'native');
    cpSync(packagedBinaries(), native, { recursive: true, verbatimSymlinks: true });
    for (const entry of readdirSync(join(native, 'lib'), { withFileTypes: true })) {
      if (entry.isSymbolicLink()) rmSync(join(native, 'lib', entry.name));
    }
    return native;
  };
  const printsVersion = (native: string): boolean =>
    spawnSync(join(native, 'bin', 'initdb'), ['--version']).status === 0 &&
    spawnSync(join(native, 'bin', 'postgres'), ['--version']).status === 0;

  it('makes the library links the package leaves to its install script', () => {
    const native = copyWithoutLinks();
    expect(printsVersion(native)).toBe(false);
    expect(createLibraryLinks(native)).toBe(true);
    expect(printsVersion(native)).toBe(true);
    expect(createLibraryLinks(native)).toBe(true);
  });

  it('copies the programs out of a folder the database user may not enter, and runs from there', async () => {
    const native = copyWithoutLinks();
    chmodSync(join(native, '..'), 0o700);
    const folder = newFolder();
    const bin = usableBinaries(native, folder, runAsUser());
    expect(bin).toBe(isRoot ? join(folder, 'native', 'bin') : join(native, 'bin'));
    expect(usableBinaries(native, folder, runAsUser())).toBe(bin);
    const embedded = await start(newFolder(), native);
    expect(await query(embedded.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('places', () => {
  it('keeps the database where its user can reach it', () => {
    const dataDir = newFolder();
    mkdirSync(dataDir, { mode: 0o700 });
    const places = makePlaces(dataDir, runAsUser(), join(home, 'system'));
    expect(places.base.startsWith(isRoot ? join(home, 'system') : dataDir)).toBe(true);
    expect(statSync(places.socket).mode & 0o777).toBe(0o700);
  });

  it('stays where its cluster is when the folder is opened or closed to others later', () => {
    const runAs = runAsUser();
    const system = join(home, 'system');
    const [opened, closed] = [newFolder(), newFolder()];
    for (const folder of [opened, closed]) mkdirSync(folder, { mode: folder === opened ? 0o700 : 0o711 });
    const before = makePlaces(opened, runAs, system);
    for (const cluster of [before.cluster, clusterIn(closed)]) {
      mkdirSync(cluster, { recursive: true });
      writeFileSync(join(cluster, 'PG_VERSION'), '18');
    }
    chmodSync(opened, 0o711);
    expect(makePlaces(opened, runAs, system).base).toBe(before.base);
    chmodSync(closed, 0o700);
    // Only root hands the database to another user; for everyone else the folder is their own.
    const answer = (): string => {
      try {
        return makePlaces(closed, runAs, system).base;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(answer()).toContain(isRoot ? 'chmod o+x' : closed);
  });

  it('puts the socket elsewhere when its path would be too long', () => {
    const dataDir = join(newFolder(), 'x'.repeat(100));
    const { socket } = makePlaces(dataDir, runAsUser());
    expect(Buffer.byteLength(socket)).toBeLessThan(60);
    rmSync(socket, { recursive: true });
  });
});

describe('embedded PostgreSQL', () => {
  it('runs as an ordinary user, on a private socket only, and stops', async () => {
    const dataDir = newFolder();
    const embedded = await start(dataDir);
    const pid = pidOf(dataDir);
    expect(statSync(`/proc/${pid}`).uid).toBe(runAsUser()?.uid ?? process.getuid?.());
    expect(statSync(clusterIn(dataDir)).mode & 0o777).toBe(0o700);
    expect(await query(embedded.connection, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(await query(embedded.connection, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    await embedded.stop();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(join(clusterIn(dataDir), 'postmaster.pid'))).toBe(false);
  });

  it('starts over an initdb that was interrupted', async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, 'postgres.unfinished', 'base'), { recursive: true });
    const embedded = await start(dataDir);
    expect(await query(embedded.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(existsSync(join(dataDir, 'postgres.unfinished'))).toBe(false);
  });

  it('refuses a cluster of another version and says what to do', async () => {
    const dataDir = newFolder();
    mkdirSync(clusterIn(dataDir), { recursive: true });
    writeFileSync(join(clusterIn(dataDir), 'PG_VERSION'), '12\n');
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'cluster_version', message: /PostgreSQL 12/ });
  });

  it("never speaks to somebody else's cluster", async () => {
    const [theirs, ours] = [newFolder(), newFolder()];
    const other = await start(theirs);
    const first = await start(ours);
    await first.stop();
    rmSync(join(ours, 'postgres-socket'), { recursive: true });
    symlinkSync(join(theirs, 'postgres-socket'), join(ours, 'postgres-socket'));
    await expect(start(ours)).rejects.toMatchObject({ code: 'foreign_cluster', message: /PLIMSOLL_DATA_DIR/ });
    expect(await query(other.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('refuses to share a data folder with a Plimsoll that runs', async () => {
    const dataDir = newFolder();
    const embedded = await start(dataDir);
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'already_running' });
    expect(await query(embedded.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('takes over the database of a Plimsoll that was killed', async () => {
    const dataDir = newFolder();
    const child = await startInChild(dataDir);
    const pid = pidOf(dataDir);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(pid)).toBe(true);
    const embedded = await start(dataDir);
    expect(pidOf(dataDir)).toBe(pid);
    expect(await query(embedded.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await embedded.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('ends the database when it is told to end', async () => {
    const dataDir = newFolder();
    const child = await startInChild(dataDir);
    const pid = pidOf(dataDir);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(isAlive(pid)).toBe(false);
  });

  it('removes a pid file that names a process which is not the database', async () => {
    const dataDir = newFolder();
    await (await start(dataDir)).stop();
    const bystander = spawn('sleep', ['600']);
    writeFileSync(join(clusterIn(dataDir), 'postmaster.pid'), `${bystander.pid}\n${clusterIn(dataDir)}\n1\n5432\n\n\n`);
    const embedded = await start(dataDir);
    expect(pidOf(dataDir)).not.toBe(bystander.pid);
    expect(await query(embedded.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(isAlive(bystander.pid ?? 0)).toBe(true);
    bystander.kill();
  });

  it('starts a postmaster that was killed again, with every committed row', async () => {
    const dataDir = newFolder();
    const embedded = await start(dataDir);
    await query(embedded.connection, 'CREATE TABLE kept AS SELECT 42 AS value');
    const pid = pidOf(dataDir);
    process.kill(pid, 'SIGKILL');
    const rows = await vi.waitFor(() => query(embedded.connection, 'SELECT value FROM kept'), {
      timeout: 60_000,
      interval: 50,
    });
    expect(rows).toEqual([{ value: 42 }]);
    expect(pidOf(dataDir)).not.toBe(pid);
  });

  it('starts after both were killed at once', async () => {
    const dataDir = newFolder();
    const child = await startInChild(dataDir);
    const pid = pidOf(dataDir);
    child.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
    await once(child, 'exit');
    const embedded = await start(dataDir);
    expect(await query(embedded.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('shows the end of its log when it cannot start', async () => {
    const dataDir = newFolder();
    await (await start(dataDir)).stop();
    writeFileSync(join(clusterIn(dataDir), 'postgresql.conf'), 'no_such_setting = 1\n');
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'start_failed', message: /no_such_setting/ });
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('no_such_setting');
    await stopPostmaster(clusterIn(dataDir), 1000);
  });
});

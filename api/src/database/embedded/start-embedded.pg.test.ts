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
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { clientConfigOf, silentLogger } from '../connection.ts';
import type { Connection } from '../connection.ts';
import { createLibraryLinks, packagedBinaries, usableBinaries } from './binaries.ts';
import { machineFolders, makePlaces } from './places.ts';
import { isAlive, postmasterOf, spawnPostmaster, stopPostmaster } from './postmaster.ts';
import { databaseUser } from './run-as.ts';
import type { RunAs } from './run-as.ts';
import { startEmbedded } from './start-embedded.ts';
import type { Embedded, EmbeddedOptions } from './start-embedded.ts';

const isRoot = process.getuid?.() === 0;
const home = mkdtempSync('/tmp/plimsoll-embedded-');
chmodSync(home, 0o755);
let folders = 0;
const newFolder = (): string => join(home, `d${(folders += 1)}`);
const clusterIn = (dataDir: string): string => join(dataDir, 'postgres');
const pidOf = (dataDir: string): number => postmasterOf(clusterIn(dataDir)) ?? 0;

const running: Embedded[] = [];
const start = async (dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<Embedded> => {
  const embedded = await startEmbedded({ dataDir, logger: silentLogger, ...options });
  running.push(embedded);
  return embedded;
};
const query = async (connection: Connection, text: string): Promise<Record<string, unknown>[]> => {
  const client = new Client(clientConfigOf(connection));
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};
const binariesFor = (runAs: RunAs | null): string => usableBinaries(packagedBinaries(), join(home, 'programs'), runAs);
/** A Plimsoll of its own process, to be killed; resolves when its database answers. */
const startInChild = async (dataDir: string, env = process.env): Promise<ChildProcess> => {
  const script = `import { startEmbedded } from ${JSON.stringify(new URL('./start-embedded.ts', import.meta.url).href)};
    const log = { info() {}, warn() {}, error() {} };
    const embedded = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, logger: log });
    process.on('SIGTERM', async () => { await embedded.stop(); process.exit(0); });
    process.on('SIGUSR2', () => { throw new Error('unexpected'); });
    setInterval(() => {}, 1000);
    console.log('up');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
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
    const bin = usableBinaries(native, folder, databaseUser());
    expect(bin).toBe(isRoot ? join(folder, 'native', 'bin') : join(native, 'bin'));
    expect(usableBinaries(native, folder, databaseUser())).toBe(bin);
    const embedded = await start(newFolder(), { native });
    expect(await query(embedded.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('places', () => {
  const machine = {
    ...machineFolders(),
    system: join(home, 'system'),
    run: join(home, 'run'),
    temporary: home,
  };

  it('keeps the database where its user can reach it', () => {
    const dataDir = newFolder();
    mkdirSync(dataDir, { mode: 0o700 });
    const places = makePlaces(dataDir, databaseUser(), machine);
    expect(places.base.startsWith(isRoot ? join(home, 'system') : dataDir)).toBe(true);
    expect(statSync(places.socket).mode & 0o777).toBe(0o700);
  });

  it('stays where its cluster is when the folder is opened or closed to others later', () => {
    const runAs = databaseUser();
    const [opened, closed] = [newFolder(), newFolder()];
    for (const folder of [opened, closed]) mkdirSync(folder, { mode: folder === opened ? 0o700 : 0o711 });
    const before = makePlaces(opened, runAs, machine);
    for (const cluster of [before.cluster, clusterIn(closed)]) {
      mkdirSync(cluster, { recursive: true });
      writeFileSync(join(cluster, 'PG_VERSION'), '18');
    }
    chmodSync(opened, 0o711);
    expect(makePlaces(opened, runAs, machine).base).toBe(before.base);
    chmodSync(closed, 0o700);
    // Only root hands the database to another user; for everyone else the folder is their own.
    const answer = (): string => {
      try {
        return makePlaces(closed, runAs, machine).base;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(answer()).toContain(isRoot ? 'chmod o+x' : closed);
  });

  it('puts the socket where only root, or this user, creates folders when its path would be too long', () => {
    const dataDir = join(newFolder(), 'x'.repeat(100));
    const runtime = join(home, 'runtime');
    mkdirSync(runtime, { recursive: true, mode: 0o700 });
    const withRuntime = { ...machine, runtime };
    const { socket } = makePlaces(dataDir, databaseUser(), withRuntime);
    expect(dirname(socket)).toBe(isRoot ? machine.run : runtime);
    expect(statSync(socket).mode & 0o777).toBe(0o700);
    expect(makePlaces(dataDir, databaseUser(), withRuntime).socket).toBe(socket);
    // Without such a folder, and as an ordinary user (root, too, would be one here): one that names the user.
    const inTemporary = makePlaces(dataDir, null, machine).socket;
    expect(inTemporary).toMatch(`${home}/plimsoll-${String(process.getuid?.())}-`);
    chmodSync(runtime, 0o755);
    expect(makePlaces(dataDir, null, withRuntime).socket).toBe(inTemporary);
  });

  it('refuses a folder for the socket that somebody planted', () => {
    const dataDir = join(newFolder(), 'x'.repeat(100));
    const { socket } = makePlaces(dataDir, null, machine);
    rmSync(socket, { recursive: true });
    symlinkSync(home, socket);
    expect(() => makePlaces(dataDir, null, machine)).toThrow(/symbolic link.*PLIMSOLL_DATA_DIR/);
    expect(statSync(home).mode & 0o777).toBe(0o755);
  });
});

describe('embedded PostgreSQL', () => {
  it('runs as an ordinary user, on a private socket only, and stops', async () => {
    const dataDir = newFolder();
    const embedded = await start(dataDir);
    const pid = pidOf(dataDir);
    expect(statSync(`/proc/${pid}`).uid).toBe(databaseUser()?.uid ?? process.getuid?.());
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

  it('starts no postmaster again once the process ends', async () => {
    const dataDir = newFolder();
    onTestFinished(() => stopPostmaster(clusterIn(dataDir), 10_000));
    const of = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
    // The start sees its postmaster gone before it sees anything else.
    const script = `import { startEmbedded } from ${of('./start-embedded.ts')};
      import { endOwnPostmasters } from ${of('./own-postmasters.ts')};
      const log = { info() {}, warn() {}, error() {} };
      const started = startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, logger: log }).then(() => 'started', (e) => e.message);
      await endOwnPostmasters();
      process.stdout.write(await started);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 20_000,
    });
    expect(await text(child.stdout)).toBe('Plimsoll was stopped while its database started.');
    expect(postmasterOf(clusterIn(dataDir))).toBeNull();
  });

  it('refuses a cluster of another version and says what to do', async () => {
    const dataDir = newFolder();
    mkdirSync(clusterIn(dataDir), { recursive: true });
    writeFileSync(join(clusterIn(dataDir), 'PG_VERSION'), '12\n');
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'cluster_version', message: /PostgreSQL 12/ });
  });

  it("never speaks to somebody else's cluster", async () => {
    const [theirs, ours] = [newFolder(), newFolder()];
    for (const folder of [theirs, ours]) await (await start(folder)).stop();
    const runAs = databaseUser();
    const places = { ...makePlaces(theirs, runAs), socket: join(ours, 'postgres-socket') };
    spawnPostmaster(binariesFor(runAs), places, runAs);
    onTestFinished(() => stopPostmaster(clusterIn(theirs), 10_000));
    const connection = { host: places.socket, port: 5432, user: 'plimsoll', database: 'plimsoll' };
    const answer = () => query(connection, 'SELECT 1 AS one');
    await vi.waitFor(answer, { timeout: 60_000, interval: 50 });
    await expect(start(ours)).rejects.toMatchObject({ code: 'foreign_cluster', message: /PLIMSOLL_DATA_DIR/ });
    expect(await answer()).toEqual([{ one: 1 }]);
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

  it('ends the database when the process ends in any way but a kill', async () => {
    const dataDir = newFolder();
    const child = await startInChild(dataDir);
    const pid = pidOf(dataDir);
    child.kill('SIGUSR2');
    expect(await once(child, 'exit')).toEqual([1, null]);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 60_000, interval: 20 });
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

const uidOf = (name: string): number => Number(spawnSync('id', ['-u', name], { encoding: 'utf8' }).stdout);

describe('who may reach the database', () => {
  it('no password of ours is in its environment', async () => {
    const dataDir = newFolder();
    const child = await startInChild(dataDir, { ...process.env, PLIMSOLL_ADMIN_PASSWORD: 'hunter2-hunter2' });
    const pid = pidOf(dataDir);
    const children = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8')
      .trim()
      .split(' ');
    expect(children.length).toBeGreaterThan(1);
    for (const one of [String(pid), ...children])
      expect(readFileSync(`/proc/${one}/environ`, 'utf8')).not.toMatch(/hunter2|PLIMSOLL/);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  /** Runs `body` as nobody. The modules load before: that user may not be able to read the checkout. */
  const asNobody = async (body: string): Promise<string> => {
    const script = `import { readFileSync } from 'node:fs';
      import pg from ${JSON.stringify(import.meta.resolve('pg'))};
      process.setgroups([]);
      process.setgid(${String(uidOf('nobody'))});
      process.setuid(${String(uidOf('nobody'))});
      try { ${body}; console.log('done'); } catch (error) { console.log(error.code, error.message); }
      process.exit(0);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return text(child.stdout);
  };

  it.runIf(isRoot)('a process of nobody reads neither its environment nor its files, and cannot connect', async () => {
    const dataDir = newFolder();
    const { connection } = await start(dataDir);
    const pid = String(pidOf(dataDir));
    const read = (file: string) => asNobody(`readFileSync(${JSON.stringify(file)})`);
    expect(await read(`/proc/${pid}/environ`)).toMatch(/^EACCES/);
    expect(await read(join(clusterIn(dataDir), 'PG_VERSION'))).toMatch(/^EACCES/);
    const connect = () => asNobody(`await new pg.Client(${JSON.stringify(connection)}).connect()`);
    expect(await connect()).toMatch(/^EACCES/);
    // With the folder and the socket opened by mistake, PostgreSQL itself refuses.
    const folder = join(dataDir, 'postgres-socket');
    chmodSync(folder, 0o755);
    chmodSync(join(folder, '.s.PGSQL.5432'), 0o777);
    expect(await connect()).toMatch(/^28000 Peer authentication failed/);
  });

  it.runIf(isRoot)('another system user runs it when the setting names one', async () => {
    const dataDir = newFolder();
    const embedded = await start(dataDir, { user: 'daemon' });
    expect(statSync(`/proc/${String(pidOf(dataDir))}`).uid).toBe(uidOf('daemon'));
    expect(await query(embedded.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await embedded.stop();
    // And our own again when it no longer does.
    const again = await start(dataDir);
    expect(statSync(`/proc/${String(pidOf(dataDir))}`).uid).toBe(databaseUser()?.uid);
    expect(await query(again.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it.runIf(isRoot).each([
    ['no-such-user', /the user no-such-user does not exist/],
    ['root', /root is root/],
    ['nobody', /other programs also run as nobody/],
  ])('the setting may not name %s', (name, problem) => {
    expect(() => databaseUser(name)).toThrow(problem);
    expect(() => databaseUser(name)).toThrow(/^PLIMSOLL_DATABASE_USER: .*DATABASE_URL/);
  });

  it('an ordinary user needs no other user', () => {
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(1000);
    onTestFinished(() => getuid.mockRestore());
    expect(databaseUser('no-such-user')).toBeNull();
  });
});

describe('a cluster of version 0.1.0', () => {
  const nobody: RunAs | null = isRoot ? { name: 'nobody', uid: uidOf('nobody'), gid: uidOf('nobody') } : null;
  const TRUST = 'local all all trust\nhost all all 127.0.0.1/32 trust\n';
  /** As that version left it: everything belongs to nobody when root ran it, and every process of that user gets in. */
  const create = async (): Promise<string> => {
    const dataDir = newFolder();
    const embedded = await start(dataDir);
    await query(embedded.connection, 'CREATE TABLE kept AS SELECT 42 AS value');
    await embedded.stop();
    writeFileSync(join(clusterIn(dataDir), 'pg_hba.conf'), TRUST);
    writeFileSync(join(clusterIn(dataDir), 'pg_ident.conf'), '');
    if (nobody)
      for (const folder of ['postgres', 'postgres-socket'])
        spawnSync('chown', ['-R', `${String(nobody.uid)}:${String(nobody.gid)}`, join(dataDir, folder)]);
    return dataDir;
  };
  /** Its postmaster, as a Plimsoll that was killed leaves it. */
  const run = async (dataDir: string): Promise<Connection> => {
    const places = {
      base: dataDir,
      cluster: clusterIn(dataDir),
      socket: join(dataDir, 'postgres-socket'),
      log: join(dataDir, 'postgres.log'),
    };
    spawnPostmaster(binariesFor(nobody), places, nobody);
    const connection = { host: places.socket, port: 5432, user: 'plimsoll', database: 'plimsoll' };
    await vi.waitFor(() => query(connection, 'SELECT 1'), { timeout: 60_000, interval: 50 });
    return connection;
  };
  const expectUpgraded = async (dataDir: string, { connection }: Embedded): Promise<void> => {
    expect(await query(connection, 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
    expect(readFileSync(join(clusterIn(dataDir), 'pg_hba.conf'), 'utf8')).not.toContain('trust');
    const rules = await query(connection, 'SELECT type, auth_method FROM pg_hba_file_rules');
    expect(rules).toEqual([{ type: 'local', auth_method: 'peer' }]);
    const uid = databaseUser()?.uid ?? process.getuid?.();
    expect(statSync(`/proc/${String(pidOf(dataDir))}`).uid).toBe(uid);
    const { stdout } = spawnSync('find', [dataDir, '-path', `${dataDir}/postgres*/*`, '!', '-uid', String(uid)], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  };

  it('is brought up to date in place, with its rows', async () => {
    const dataDir = await create();
    expect(readFileSync(join(clusterIn(dataDir), 'pg_hba.conf'), 'utf8')).toBe(TRUST);
    await expectUpgraded(dataDir, await start(dataDir));
  });

  it('is also when its postmaster still runs: that one ends first', async () => {
    const dataDir = await create();
    await run(dataDir);
    const pid = pidOf(dataDir);
    const embedded = await start(dataDir);
    expect(isAlive(pid)).toBe(false);
    await expectUpgraded(dataDir, embedded);
  });

  it('is left alone while a Plimsoll of that version uses it', async () => {
    const dataDir = await create();
    const connection = await run(dataDir);
    const pid = pidOf(dataDir);
    onTestFinished(() => stopPostmaster(clusterIn(dataDir), 10_000));
    // The lock of a supervisor is one of the database `postgres`.
    const holder = new Client({ ...clientConfigOf(connection), database: 'postgres' });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock($1)', [0x70_6c_69_6d]);
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'already_running' });
    expect(isAlive(pid)).toBe(true);
    expect(readFileSync(join(clusterIn(dataDir), 'pg_hba.conf'), 'utf8')).toBe(TRUST);
    await holder.end();
  });
});

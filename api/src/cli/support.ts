import { createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Client } from 'pg';
import { ownerOf } from '../tenancy/owner.ts';
import { systemClock } from '../clock.ts';
import { type Config, loadConfigOrFolders } from '../config.ts';
import { type Connection, directConnectionOf } from '../database/connection.ts';
import { machineFolders, makePlaces } from '../database/embedded/places.ts';
import { databaseUser } from '../database/embedded/run-as.ts';
import { openEmbedded } from '../database/embedded/start-embedded.ts';
import { openClient } from '../database/open-client.ts';
import type { Environment } from '../settings/environment.ts';
import { describeInstallation } from '../installation/describe-installation.ts';
import { shapeInstallation } from '../installation/routes.ts';
import { createPostgresStorage } from '../postgres-storage.ts';
import { JobHealth } from '../telemetry/job-health.ts';
import { createLogger } from '../telemetry/logger.ts';
import { readRecentLog } from '../telemetry/recent-log.ts';
import { VERSION } from '../version.ts';
import { runCommand, say, UsageError } from './command.ts';
import { type Part, writeArchive } from './support/archive.ts';
import { describeMigrations, describePostgres } from './support/database-parts.ts';
import {
  databaseLog,
  describeDisks,
  describeMachine,
  describeSettings,
  describeVersions,
} from './support/machine-parts.ts';
import { redactLogLine } from './support/redact.ts';
import { organisationIdOf } from '../tenancy/ids.ts';

const USAGE = `Usage: npm start -- support FILE        in a container: node api/src/cli/support.ts FILE
Writes what helps others to find a fault, without secrets, as a tar.gz: versions, which settings are set, the figures of
the health page, migrations, PostgreSQL's version, settings and tables, disk, and the last lines of the logs. Works while
Plimsoll runs, is stopped or does not start; a part that cannot be read says why. FILE must not exist. A folder gets a
file named by the time. - writes to standard output. Read it before you pass it on.
Reads DATABASE_URL or PLIMSOLL_DATA_DIR like the API.
Exit 0 written, 1 failed, 2 wrong use.`;

const README = `Support bundle of a Plimsoll installation, made ${new Date(systemClock.now()).toISOString()} by version ${VERSION}.

versions.json    Plimsoll, Node, PostgreSQL
settings.json    every setting and where it is set; values only of numbers and choices
health.json      the figures of Profile > Installation health, without names of channels
migrations.json  migrations of the database beside those of this version
postgresql.json  state, settings, connections and largest tables of PostgreSQL
machine.json     processors, memory and disks
api.log          last lines of the API on this machine
postgresql.log   last lines of the embedded PostgreSQL

Secrets, e-mail addresses and the ends of network addresses are removed. No row of a table is in here but counts.
A collector has a bundle of its own: sudo plimsoll support-bundle
`;

const LOG_LINES = 2000;
/** Channels that belong to nobody have no name. */
const NOBODY = ownerOf(organisationIdOf('00000000-0000-0000-0000-000000000000'));

function readTarget(args: string[], now: number): string {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const [target, ...rest] = positionals;
  if (target === undefined || rest.length > 0) throw new UsageError('FILE: must be one path. Write it after support.');
  if (target === '-') return target;
  const found = statSync(target, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) {
    const time = new Date(now).toISOString().slice(0, 19).replaceAll(':', '');
    return join(target, `plimsoll-support-${time}Z.tar.gz`);
  }
  if (found) throw new UsageError(`FILE: ${target} exists. Choose another name, or give the folder alone.`);
  return target;
}

interface Opened {
  connection: Connection;
  client: Client;
  close(): Promise<void>;
}

async function openDatabase(config: Config): Promise<Opened> {
  const direct = directConnectionOf(config);
  const { dataDir, databaseUser: user, runtimeDir } = config;
  const logger = createLogger({ ...config.log, level: 'silent' });
  const database =
    direct === null
      ? await openEmbedded({ dataDir, logger, user, runtimeDir })
      : { connection: direct, stop: () => Promise.resolve() };
  try {
    const client = await openClient(database.connection, 'plimsoll-support');
    const close = async (): Promise<void> => {
      await client.end();
      await database.stop();
    };
    return { connection: database.connection, client, close };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function readHealth(config: Config, connection: Connection): Promise<unknown> {
  const storage = createPostgresStorage({ connection, poolSize: 4 });
  try {
    const { installation, notify, setAside, sampleOutbox } = storage;
    const described = await describeInstallation(
      {
        installation,
        outbox: notify.outbox,
        setAside,
        samples: config.seriesStore && sampleOutbox,
        jobHealth: new JobHealth(systemClock),
        clock: systemClock,
        apiVersion: VERSION,
        isEmbedded: config.databaseUrl === null,
      },
      NOBODY,
    );
    const health = shapeInstallation(described);
    const store = health.series_store;
    // The text of a store or of a proxy before it.
    return store?.last_error == null
      ? health
      : { ...health, series_store: { ...store, last_error: redactLogLine(store.last_error) } };
  } finally {
    await storage.close();
  }
}

function foldersOf(config: Config): Record<string, string> {
  if (config.databaseUrl !== null) return { data_folder: config.dataDir };
  const places = makePlaces(config.dataDir, databaseUser(config.databaseUser), machineFolders(config.runtimeDir));
  return { data_folder: config.dataDir, database: places.base };
}

interface Settings {
  config: Config;
  environment: Environment;
  atFault: string[];
}

/** `opened` fails with the reason why the database cannot be read. */
function partsOf({ config, environment, atFault }: Settings, opened: Promise<Opened>): Part[] {
  const lines = (found: readonly string[]): string => found.map((line) => `${line}\n`).join('');
  return [
    { name: 'README.txt', make: () => README },
    { name: 'versions.json', make: describeVersions },
    {
      name: 'settings.json',
      make: () => ({ at_fault: atFault, settings: describeSettings(environment, atFault.length === 0) }),
    },
    { name: 'health.json', make: async () => readHealth(config, (await opened).connection) },
    { name: 'migrations.json', make: async () => describeMigrations((await opened).client) },
    { name: 'postgresql.json', make: async () => describePostgres((await opened).client) },
    { name: 'machine.json', make: () => ({ ...describeMachine(), disks: describeDisks(foldersOf(config)) }) },
    { name: 'api.log', make: () => lines(readRecentLog(config.dataDir, LOG_LINES).map(redactLogLine)) },
    {
      name: 'postgresql.log',
      make: () =>
        config.databaseUrl === null ? lines(databaseLog(foldersOf(config)['database'] ?? '', LOG_LINES)) : '',
    },
  ];
}

await runCommand(USAGE, async (args) => {
  const now = systemClock.now();
  const target = readTarget(args, now);
  const settings = loadConfigOrFolders();
  const opened =
    settings.atFault.length > 0
      ? Promise.reject(new Error('settings are wrong: see settings.json'))
      : openDatabase(settings.config);
  opened.catch(() => {});
  try {
    const output = target === '-' ? process.stdout : createWriteStream(target, { mode: 0o600, flags: 'wx' });
    const failed = await writeArchive(output, 'plimsoll-support', partsOf(settings, opened));
    for (const name of failed) say(`${name} could not be made; it says why`);
    if (target !== '-') say(`written to ${target}. Read it before you pass it on`);
  } finally {
    await opened.then(
      (database) => database.close(),
      () => {},
    );
  }
});

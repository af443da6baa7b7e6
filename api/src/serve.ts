import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { allRoutes, createApp, createMetricsApp } from './app.ts';
import { adoptClusterToken } from './kubernetes/cluster-tokens.ts';
import { issueEnrolmentToken, LOCAL_ENROLMENT_TOKEN_MS } from './servers/enrol.ts';
import { readKeyFile, SecretBox } from './accounts/secret-encryption.ts';
import { prepareFirstRun } from './accounts/first-run.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { createDeps, openStorage, type Deps, type OpenedStorage } from './deps.ts';
import { listen, localOrigin, type Listening } from './http/listen.ts';
import { connectChangeBus } from './live/change-bus.ts';
import { ownerOf, type Owner } from './tenancy/owner.ts';
import { createDataFolder } from './database/embedded/folders.ts';
import type { Logger } from './telemetry/logger.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { VERSION } from './version.ts';
import { ownOrganisationOf } from './tenancy/ids.ts';
import { makeBackupScheduler, makeNotifyScheduler, makeScheduler, makeSeriesScheduler } from './schedulers.ts';

/** Lets the collector of this machine enrol. The file appears whole or not at all, readable by its owner only. */
async function writeLocalEnrolment({ storage, clock }: Deps, owner: Owner | null, file: string): Promise<void> {
  const { enrolmentTokens } = storage;
  const { token } = await issueEnrolmentToken({ enrolmentTokens, clock }, owner, {
    createdBy: 'plimsoll',
    lifetimeMs: LOCAL_ENROLMENT_TOKEN_MS,
  });
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${String(process.pid)}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

/** Returns the sign-in line for standard output; null if none is printed. */
async function prepare(deps: Deps): Promise<((origin: string) => string) | null> {
  const { config, storage, clock } = deps;
  const { accounts } = storage;
  await storage.agents.setReportInterval(config.reportIntervalSeconds);
  const code = await prepareFirstRun({ storage, clock }, config.admin);
  // Without an account yet both belong to the instance, and pass to the first account.
  const oldest = await accounts.oldest();
  const owner = oldest && ownerOf(ownOrganisationOf(oldest.id));
  if (config.localEnrolmentFile !== null) await writeLocalEnrolment(deps, owner, config.localEnrolmentFile);
  if (config.clusterToken !== null)
    await adoptClusterToken({ tokens: storage.kubernetes.tokens, clock }, owner, config.clusterToken);
  if (code !== null) return (origin) => `Sign in: ${origin}/login#setup=${code}`;
  // Only `npm start` sets that file; elsewhere standard output is a log, which must not hold an address.
  if (oldest === null || config.localEnrolmentFile === null) return null;
  const { email } = oldest;
  return (origin) =>
    `Sign in: ${origin}/login as ${email} (locked out: stop Plimsoll, then npm start -- --sign-in-link ${email})`;
}

/**
 * Records the failures counted since the last entry of the audit log. A database that is gone must not keep the process
 * from ending.
 */
async function recordFailedSignIns({ failedSignIns, storage, clock, log }: Deps): Promise<void> {
  try {
    await failedSignIns.record({ tenancy: storage.tenancy, clock }, { all: true });
  } catch (error) {
    log.warn({ err: error }, 'failed sign-ins are not in the audit log');
  }
}

/** Null while the dashboard's own port serves /metrics. */
async function listenForMetrics(deps: Deps): Promise<Listening | null> {
  const { host, metricsPort } = deps.config;
  if (metricsPort === null) return null;
  const at = { host, port: metricsPort, setting: 'PLIMSOLL_METRICS_PORT' };
  const server = await listen(createMetricsApp(deps).fetch, at);
  deps.log.info({ port: server.port }, 'metrics');
  return server;
}

export interface Serving {
  /** Address at which a browser on this machine reaches it. */
  origin: string;
  stop: () => Promise<void>;
}

/** Starts the API and its jobs on a storage, which it closes at the end. Prints the sign-in line, if there is one. */
export async function serve(config: Config, log: Logger, given?: OpenedStorage): Promise<Serving> {
  const opened = given ?? (await openStorage(config, log));
  try {
    const secretBox = new SecretBox(config.secretKey ?? readKeyFile(createDataFolder(config.dataDir)));
    const deps = createDeps({
      config,
      log,
      clock: opened.clock ?? systemClock,
      metrics: createMetrics(),
      secretBox,
      storage: opened.storage,
    });
    const signIn = await prepare(deps);
    const routes = allRoutes(deps);
    const scheduler = makeScheduler(deps, routes, opened.clock);
    await scheduler.start();
    const notifyScheduler = makeNotifyScheduler(deps);
    void notifyScheduler.start();
    const stopping = new AbortController();
    const backupScheduler = makeBackupScheduler(deps, opened.connection, stopping.signal);
    void backupScheduler?.start();
    const seriesScheduler = makeSeriesScheduler(deps);
    void seriesScheduler?.start();
    // The bundled database serves this process alone.
    const disconnectChangeBus =
      config.databaseUrl === null ? null : await connectChangeBus({ ...deps, broadcast: opened.storage.broadcast });
    const server = await listen(createApp(deps, routes).fetch, config);
    const metricsServer = await listenForMetrics(deps);
    const origin = config.publicUrl ?? localOrigin(config.host, server.port);
    log.info({ origin, version: VERSION }, 'listening');
    if (signIn !== null) process.stdout.write(`${signIn(origin)}\n`);
    const stop = async (): Promise<void> => {
      deps.streams.restartAll();
      await Promise.all([server.close(), metricsServer?.close()]);
      await Promise.all([deps.readThread.close(), deps.metricsThread.close()]);
      // A backup under way would keep the process for minutes; the next start writes it.
      stopping.abort(new Error('the API stops'));
      await deps.checkRunner.stop();
      await Promise.all([scheduler.stop(), notifyScheduler.stop(), backupScheduler?.stop(), seriesScheduler?.stop()]);
      await recordFailedSignIns(deps);
      await disconnectChangeBus?.();
      await opened.close();
    };
    return { origin, stop };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

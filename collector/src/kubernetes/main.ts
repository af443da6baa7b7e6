import { CUSTOM_LIMITS } from '@plimsoll/contract/rules/custom-resources';
import { readdirSync, readFileSync } from 'node:fs';
import { serveTelemetry, type Observed } from './telemetry.ts';
import { type ClusterSettings, readClusterSettings } from './settings.ts';
import { processEnvironment } from '../config.ts';
import { ClusterCollector } from './report/cluster-collector.ts';
import { ChannelSecrets } from './operator/channel-secrets.ts';
import { CustomResources } from './operator/custom-resources.ts';
import { apiAddresses, identifyCluster } from './report/cluster-identity.ts';
import { Standby } from './report/standby.ts';
import { TelegramValues } from './report/telegram-values.ts';
import { Connection } from './watch/connection.ts';
import { fileToken, findCredentials } from './watch/credentials.ts';
import { LEASE_TIMES, LeaseElection } from './watch/lease.ts';
import { PrometheusApi } from './prometheus/api.ts';
import { systemTiming } from './watch/timing.ts';
import { type Log, makeLog } from '../runtime/log.ts';
import { apiAt } from '../send/http.ts';
import { SettingError } from '../settings.ts';
import { VERSION } from '../version.ts';

/** Exit statuses of sysexits(3): a setting cannot be used. */
const EXIT_USAGE = 64;
/** A full listing of a large cluster is megabytes. */
const POST_TIMEOUT_MS = 60_000;

interface Parts {
  settings: ClusterSettings;
  connection: Connection;
  election: LeaseElection;
  standby: Standby;
  log: Log;
  observed: Observed;
}

/** Stands by, leads when it holds the lease, and stops leading the moment it cannot be sure of it. */
async function contend(parts: Parts, signal: AbortSignal): Promise<void> {
  const { election, standby, log, observed } = parts;
  let turnedAt = systemTiming.now();
  observed.loopAgeSeconds = () => (systemTiming.now() - turnedAt) / 1000;
  let term: AbortController | null = null;
  const stopLeading = (reason: string): void => {
    if (!term) return;
    log('warn', 'no longer leading', { reason });
    // A post under way is not waited for: it carries our old term, which the server refuses once another leads.
    term.abort();
    term = null;
    observed.leading = false;
    observed.collector = null;
  };
  while (!signal.aborted) {
    turnedAt = systemTiming.now();
    await election.attempt().then(
      () => standby.well(),
      (error: unknown) => {
        log('warn', 'lease', { reason: textOf(error) });
        void standby.failed(error);
      },
    );
    const held = election.holdTerm;
    if (held === null) stopLeading('the lease is not ours');
    else if (!term) {
      const own = new AbortController();
      term = own;
      observed.leading = true;
      void lead(parts, held, own.signal).finally(() => own.abort());
    } else if (term.signal.aborted) stopLeading('watching ended');
    await systemTiming.wait(LEASE_TIMES.retryMs, signal);
  }
  stopLeading('stopping');
  await election.release().catch((error: unknown) => log('warn', 'lease not released', { reason: textOf(error) }));
}

const dashboardAt = ({ url }: ClusterSettings, answerBytes?: number) =>
  apiAt(url, (address, init) => fetch(address, init), `plimsoll-cluster/${VERSION}`, {}, answerBytes);

async function lead(parts: Parts, term: number, signal: AbortSignal): Promise<void> {
  const { settings, connection, log, observed } = parts;
  const api = dashboardAt(settings);
  const prometheus = prometheusOf(settings);
  let resources: CustomResources | null = null;
  const collector = new ClusterCollector({
    connection,
    prometheus,
    post: (path, body) => api.post(path, body, settings.token, POST_TIMEOUT_MS),
    clusterName: settings.clusterName,
    readsPodLogs: settings.readsPodLogs,
    readsVolumes: settings.readsVolumes,
    changes: { groups: settings.changeGroups, token: settings.token },
    id: settings.podName,
    version: VERSION,
    timing: systemTiming,
    log,
    customReaders: () => resources?.reflectors ?? [],
  });
  observed.collector = collector;
  const telegram = new TelegramValues({
    post: (path, body) => api.post(path, body, settings.token),
    files: settings.telegram,
    readFile: (path) => readFileSync(path, 'utf8'),
    timing: systemTiming,
    log,
  });
  void telegram.run(signal);
  void reconcile(parts, { term, made: (one) => (resources = one) }, signal).catch((error: unknown) =>
    log('error', 'custom resources', { reason: textOf(error) }),
  );
  await collector.lead(term, signal).catch((error: unknown) => log('error', 'cannot watch', { reason: textOf(error) }));
  prometheus?.close();
}

/** Reconciles the custom resources for one term of leading. */
async function reconcile(
  { settings, connection, log }: Parts,
  { term, made }: { term: number; made: (resources: CustomResources) => void },
  signal: AbortSignal,
): Promise<void> {
  const api = dashboardAt(settings, CUSTOM_LIMITS.answerBytes);
  const { uid } = await identifyCluster(connection, settings.clusterName);
  const resources = new CustomResources({
    connection,
    post: (path, body) => api.post(path, body, settings.token, POST_TIMEOUT_MS),
    cluster: { uid },
    addresses: () => apiAddresses(connection),
    collector: { id: settings.podName, term },
    release: { name: settings.releaseName, namespace: settings.namespace },
    secrets: new ChannelSecrets(settings.channelSecretsDir, {
      list: (folder) => readdirSync(folder),
      read: (file) => readFileSync(file, 'utf8'),
    }),
    timing: systemTiming,
    log,
  });
  made(resources);
  await resources.run(signal);
}

function prometheusOf({ prometheusUrl: url, prometheusTokenFile: file }: ClusterSettings): PrometheusApi | null {
  if (url === null) return null;
  return file === null
    ? new PrometheusApi(url)
    : new PrometheusApi(
        url,
        fileToken(file, () => systemTiming.now()),
      );
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function start(): Promise<number> {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stop.abort(name));
  const settings = readClusterSettings(processEnvironment(), (path) => readFileSync(path, 'utf8'));
  const write = (line: string): void => void process.stderr.write(`${line}\n`);
  const log = makeLog({ level: settings.logLevel, format: 'json', write, now: () => systemTiming.now() / 1000 });
  const connection = new Connection(await findCredentials(settings, () => systemTiming.now()));
  const lease = { namespace: settings.namespace, name: settings.leaseName, identity: settings.podName };
  const election = new LeaseElection(connection, lease, systemTiming);
  const observed: Observed = { connection, collector: null, leading: false, loopAgeSeconds: () => 0 };
  const server = await serveTelemetry(observed, settings.metricsPort);
  log('info', 'standing by', { identity: settings.podName, version: VERSION, port: settings.metricsPort });
  const serviceAccount = await connection.serviceAccount();
  const api = dashboardAt(settings);
  const standby = new Standby({
    post: (path, body) => api.post(path, body, settings.token, POST_TIMEOUT_MS),
    collector: { id: settings.podName, version: VERSION },
    serviceAccount: () => serviceAccount,
    timing: systemTiming,
  });
  await contend({ settings, connection, election, standby, log, observed }, stop.signal);
  server.close();
  connection.close();
  log('info', 'stopped');
  return 0;
}

try {
  process.exitCode = await start();
} catch (error) {
  process.stderr.write(`plimsoll cluster collector: ${textOf(error)}\n`);
  process.exitCode = error instanceof SettingError ? EXIT_USAGE : 1;
}
// A request that hangs must not hold up the exit: the next leader tells everything anew.
setTimeout(() => process.exit(), 500).unref();

import { hostname } from 'node:os';
import type { Environment } from '../config.ts';
import { CHANGE_GROUPS, type ChangeGroup } from './changes/kinds.ts';
import type { TelegramFiles } from './report/telegram-values.ts';
import { READERS, SettingError } from '../settings.ts';

/** Settings of the cluster collector in its environment; PLIMSOLL_ names are its own, the others are the platform's. */
export interface ClusterSettings {
  url: string;
  token: string;
  clusterName: string | null;
  /** Answers requests for log tails; the chart sets it with the right to read them. */
  readsPodLogs: boolean;
  /** Reads persistent volumes; the chart sets it with the right to do so. */
  readsVolumes: boolean;
  /** Groups of kinds whose changes are reported; the chart sets them with the right to watch these kinds. */
  changeGroups: ChangeGroup[];
  namespace: string;
  podName: string;
  leaseName: string;
  /** Address of Prometheus up to `/api/v1`; null: there is none. */
  prometheusUrl: string | null;
  /** Holds Prometheus's bearer token; null: Prometheus needs none. */
  prometheusTokenFile: string | null;
  /** Telegram values of the release; null: it has none. */
  telegram: TelegramFiles | null;
  /** Name of the Helm release, for the commands that messages contain. */
  releaseName: string;
  /** Holds a folder per mounted Secret of a channel; null: the release mounts none. */
  channelSecretsDir: string | null;
  /** Port of /metrics and /healthz. */
  metricsPort: number;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
  serviceHost: string | null;
  servicePort: string | null;
  kubeconfig: string | null;
  /** Holds token and ca.crt of the pod's service account. */
  serviceAccountDir: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Throws SettingError naming the variable and the remedy. */
export function readClusterSettings(environment: Environment, readFile: (path: string) => string): ClusterSettings {
  const text = (name: string): string | null => environment[name]?.trim() || null;
  const url = text('PLIMSOLL_URL');
  if (url === null) throw new SettingError('PLIMSOLL_URL is not set. Set it to the address of the dashboard');
  const address = named('PLIMSOLL_URL', () => READERS.url(url)) ?? url;
  if (
    address.startsWith('http:') &&
    !LOOPBACK.test(new URL(address).hostname) &&
    text('PLIMSOLL_ALLOW_HTTP') !== 'true'
  ) {
    throw new SettingError(
      'PLIMSOLL_URL: plain http sends the token in the clear. Use https, or set PLIMSOLL_ALLOW_HTTP=true to accept it',
    );
  }
  const port = Number(text('PLIMSOLL_METRICS_PORT') ?? 9464);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new SettingError('PLIMSOLL_METRICS_PORT must be a port');
  return {
    url: address,
    token: readToken(text, readFile),
    clusterName: text('PLIMSOLL_CLUSTER_NAME'),
    readsPodLogs: text('PLIMSOLL_POD_LOGS') === 'true',
    readsVolumes: text('PLIMSOLL_PERSISTENT_VOLUMES') === 'true',
    changeGroups: readGroups(text('PLIMSOLL_CHANGES')),
    namespace: text('POD_NAMESPACE') ?? 'plimsoll-system',
    podName: text('POD_NAME') ?? hostname(),
    leaseName: text('PLIMSOLL_LEASE_NAME') ?? 'plimsoll-cluster-collector',
    prometheusUrl: readPrometheusUrl(text('PLIMSOLL_PROMETHEUS_URL')),
    prometheusTokenFile: text('PLIMSOLL_PROMETHEUS_TOKEN_FILE'),
    telegram: readTelegram(text('TELEGRAM_BOT_TOKEN_FILE'), text('TELEGRAM_CHAT_ID_FILE')),
    releaseName: text('PLIMSOLL_RELEASE_NAME') ?? 'plimsoll',
    channelSecretsDir: text('PLIMSOLL_CHANNEL_SECRETS_DIR'),
    metricsPort: port,
    logLevel: named('PLIMSOLL_LOG_LEVEL', () => READERS.log_level(text('PLIMSOLL_LOG_LEVEL') ?? 'info')),
    serviceHost: text('KUBERNETES_SERVICE_HOST'),
    servicePort: text('KUBERNETES_SERVICE_PORT'),
    kubeconfig: text('KUBECONFIG'),
    serviceAccountDir: text('PLIMSOLL_SERVICE_ACCOUNT_DIR') ?? '/var/run/secrets/kubernetes.io/serviceaccount',
  };
}

/** Commas separate the groups. None where the variable is not set: an older chart grants no right to watch them. */
function readGroups(text: string | null): ChangeGroup[] {
  const words = (text ?? '').split(',').map((word) => word.trim());
  return words
    .filter((word) => word !== '')
    .map((word) => {
      const group = CHANGE_GROUPS.find((one) => one === word);
      if (group === undefined)
        throw new SettingError(`PLIMSOLL_CHANGES: ${word} is no group of kinds. Use ${CHANGE_GROUPS.join(', ')}`);
      return group;
    });
}

function readTelegram(botTokenFile: string | null, chatIdFile: string | null): TelegramFiles | null {
  if (botTokenFile === null && chatIdFile === null) return null;
  if (botTokenFile === null || chatIdFile === null)
    throw new SettingError('TELEGRAM_BOT_TOKEN_FILE and TELEGRAM_CHAT_ID_FILE must be set together');
  return { botTokenFile, chatIdFile };
}

function readPrometheusUrl(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new SettingError('PLIMSOLL_PROMETHEUS_URL must be an address like http://prometheus.monitoring.svc:9090');
  if (url.username !== '' || url.password !== '')
    throw new SettingError(
      'PLIMSOLL_PROMETHEUS_URL must not hold a user or a password: use PLIMSOLL_PROMETHEUS_TOKEN_FILE',
    );
  return text;
}

function readToken(text: (name: string) => string | null, readFile: (path: string) => string): string {
  const file = text('PLIMSOLL_CLUSTER_TOKEN_FILE');
  let token = text('PLIMSOLL_CLUSTER_TOKEN');
  if (file !== null) {
    try {
      token = readFile(file).trim();
    } catch (error) {
      throw new SettingError(`PLIMSOLL_CLUSTER_TOKEN_FILE: ${file} cannot be read (${(error as Error).message})`);
    }
  }
  if (!token) {
    throw new SettingError('PLIMSOLL_CLUSTER_TOKEN is not set. Copy it from the Kubernetes tab of the Setup page');
  }
  return token;
}

function named<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SettingError) throw new SettingError(`${name}: ${error.message}`);
    throw error;
  }
}

import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { type ClusterSettings, readClusterSettings } from './settings.ts';
import type { Environment } from '../config.ts';
import { SettingError } from '../settings.ts';

const least = { PLIMSOLL_URL: 'https://plimsoll.example/', PLIMSOLL_CLUSTER_TOKEN: 'plm_cluster_x' };
const read = (environment: Environment, files: Record<string, string> = {}): ClusterSettings =>
  readClusterSettings(environment, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error(`ENOENT: ${path}`);
    return text;
  });

describe('readClusterSettings', () => {
  it('needs an address and a token; the rest has defaults', () => {
    expect(read(least)).toEqual({
      url: 'https://plimsoll.example',
      token: 'plm_cluster_x',
      channelSecretsDir: null,
      releaseName: 'plimsoll',
      clusterName: null,
      readsPodLogs: false,
      readsVolumes: false,
      changeGroups: [],
      namespace: 'plimsoll-system',
      podName: hostname(),
      leaseName: 'plimsoll-cluster-collector',
      prometheusUrl: null,
      prometheusTokenFile: null,
      telegram: null,
      metricsPort: 9464,
      logLevel: 'info',
      serviceHost: null,
      servicePort: null,
      kubeconfig: null,
      serviceAccountDir: '/var/run/secrets/kubernetes.io/serviceaccount',
    });
  });

  it('takes everything the chart sets', () => {
    const set = {
      ...least,
      PLIMSOLL_CLUSTER_NAME: ' prod ',
      PLIMSOLL_POD_LOGS: 'true',
      PLIMSOLL_CHANGES: 'workloads, services,',
      POD_NAMESPACE: 'monitoring',
      POD_NAME: 'collector-0',
      PLIMSOLL_LEASE_NAME: 'lease',
      PLIMSOLL_PROMETHEUS_URL: 'http://prometheus.monitoring.svc:9090/prom',
      PLIMSOLL_PROMETHEUS_TOKEN_FILE: '/run/token',
      PLIMSOLL_METRICS_PORT: '0',
      TELEGRAM_BOT_TOKEN_FILE: '/t/token',
      TELEGRAM_CHAT_ID_FILE: '/t/chat',
      PLIMSOLL_LOG_LEVEL: 'debug',
      KUBERNETES_SERVICE_HOST: '10.96.0.1',
      KUBERNETES_SERVICE_PORT: '443',
      KUBECONFIG: '/root/.kube/config',
      PLIMSOLL_SERVICE_ACCOUNT_DIR: '/run/sa',
    };
    expect(read(set)).toMatchObject({
      clusterName: 'prod',
      readsPodLogs: true,
      changeGroups: ['workloads', 'services'],
      namespace: 'monitoring',
      podName: 'collector-0',
      leaseName: 'lease',
      prometheusUrl: 'http://prometheus.monitoring.svc:9090/prom',
      prometheusTokenFile: '/run/token',
      telegram: { botTokenFile: '/t/token', chatIdFile: '/t/chat' },
      metricsPort: 0,
      logLevel: 'debug',
      serviceHost: '10.96.0.1',
      servicePort: '443',
      kubeconfig: '/root/.kube/config',
      serviceAccountDir: '/run/sa',
    });
  });

  it('takes an empty value for none: a chart writes those', () => {
    const empty = {
      POD_NAMESPACE: '',
      PLIMSOLL_PROMETHEUS_URL: ' ',
      PLIMSOLL_METRICS_PORT: '',
      PLIMSOLL_LOG_LEVEL: '',
    };
    expect(read({ ...least, ...empty })).toMatchObject({
      namespace: 'plimsoll-system',
      prometheusUrl: null,
      metricsPort: 9464,
      logLevel: 'info',
    });
  });

  it('reads the token from its file, which wins over the variable', () => {
    const environment = { ...least, PLIMSOLL_CLUSTER_TOKEN_FILE: '/run/token' };
    expect(read(environment, { '/run/token': 'plm_cluster_file\n' }).token).toBe('plm_cluster_file');
    expect(() => read(environment)).toThrow('PLIMSOLL_CLUSTER_TOKEN_FILE: /run/token cannot be read (ENOENT');
    expect(() => read(environment, { '/run/token': '\n' })).toThrow('PLIMSOLL_CLUSTER_TOKEN is not set');
  });

  it.each<[Environment, string]>([
    [{ PLIMSOLL_URL: undefined }, 'PLIMSOLL_URL is not set. Set it to the address of the dashboard'],
    [{ PLIMSOLL_URL: 'plimsoll.example' }, 'PLIMSOLL_URL: must be the address of the dashboard'],
    [{ PLIMSOLL_URL: 'https://bob:hunter2@plimsoll.example' }, 'PLIMSOLL_URL: must not hold a user or a password'],
    [{ PLIMSOLL_URL: 'http://plimsoll.example' }, 'PLIMSOLL_URL: plain http sends the token in the clear'],
    [{ PLIMSOLL_URL: 'http://127.0.0.1.example' }, 'PLIMSOLL_URL: plain http'],
    [{ PLIMSOLL_CLUSTER_TOKEN: '' }, 'PLIMSOLL_CLUSTER_TOKEN is not set. Copy it from the Kubernetes tab'],
    [{ PLIMSOLL_METRICS_PORT: '65536' }, 'PLIMSOLL_METRICS_PORT must be a port'],
    [{ PLIMSOLL_METRICS_PORT: '-1' }, 'PLIMSOLL_METRICS_PORT must be a port'],
    [{ PLIMSOLL_METRICS_PORT: '94.5' }, 'PLIMSOLL_METRICS_PORT must be a port'],
    [{ PLIMSOLL_METRICS_PORT: 'http' }, 'PLIMSOLL_METRICS_PORT must be a port'],
    [{ PLIMSOLL_LOG_LEVEL: 'loud' }, 'PLIMSOLL_LOG_LEVEL: must be one of debug, info, warn, error'],
    [{ PLIMSOLL_PROMETHEUS_URL: 'prometheus:9090' }, 'PLIMSOLL_PROMETHEUS_URL must be an address like'],
    [{ PLIMSOLL_PROMETHEUS_URL: 'file:///etc/passwd' }, 'PLIMSOLL_PROMETHEUS_URL must be an address like'],
    [
      { PLIMSOLL_PROMETHEUS_URL: 'http://bob:hunter2@prometheus:9090' },
      'PLIMSOLL_PROMETHEUS_URL must not hold a user or a password: use PLIMSOLL_PROMETHEUS_TOKEN_FILE',
    ],
  ])('%j: names the variable and the remedy, and no secret', (change, reason) => {
    const refused = (): ClusterSettings => read({ ...least, ...change });
    expect(refused).toThrow(SettingError);
    expect(refused).toThrow(reason);
    expect(refused).not.toThrow('hunter2');
  });

  it.each(['http://localhost:8420', 'http://127.0.0.1:8420', 'http://[::1]:8420'])('takes plain http to %s', (url) => {
    expect(read({ ...least, PLIMSOLL_URL: url }).url).toBe(url);
  });

  it('takes plain http to a service of the cluster when it is told to', () => {
    const url = 'http://plimsoll-api.monitoring.svc:8420';
    expect(read({ ...least, PLIMSOLL_URL: url, PLIMSOLL_ALLOW_HTTP: 'true' }).url).toBe(url);
    expect(() => read({ ...least, PLIMSOLL_URL: url, PLIMSOLL_ALLOW_HTTP: 'yes' })).toThrow('plain http');
  });
});

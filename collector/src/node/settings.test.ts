import { describe, expect, it } from 'vitest';
import { SettingError } from '../settings.ts';
import { type NodeSettings, readNodeSettings } from './settings.ts';

type Environment = Record<string, string | undefined>;
const least = { PLIMSOLL_CLUSTER_TOKEN: 'plm_cluster_x', NODE_NAME: 'worker-1', NODE_IP: '10.0.0.7' };
const read = (change: Environment = {}, files: Record<string, string> = {}): NodeSettings =>
  readNodeSettings({ ...least, ...change }, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error(`ENOENT: ${path}`);
    return text;
  });

describe('readNodeSettings', () => {
  it('needs what the pod’s fields give; the rest has defaults', () => {
    expect(read()).toEqual({
      clusterToken: 'plm_cluster_x',
      nodeName: 'worker-1',
      nodeIp: '10.0.0.7',
      mode: 'proc',
      hostRoot: '/host',
      kubeletCaFile: null,
      insecureSkipVerify: false,
      serviceAccountDir: '/var/run/secrets/kubernetes.io/serviceaccount',
    });
  });

  it('takes everything the chart sets', () => {
    const set = {
      PLIMSOLL_NODE_AGENT_MODE: 'full',
      PLIMSOLL_HOST_ROOT: '/mnt',
      PLIMSOLL_KUBELET_CA_FILE: '/run/ca.crt',
      PLIMSOLL_KUBELET_INSECURE_SKIP_VERIFY: 'true',
      PLIMSOLL_SERVICE_ACCOUNT_DIR: '/run/sa',
      PLIMSOLL_CLUSTER_TOKEN_FILE: '/run/token',
    };
    expect(read(set, { '/run/token': ' plm_cluster_file\n' })).toEqual({
      clusterToken: 'plm_cluster_file',
      nodeName: 'worker-1',
      nodeIp: '10.0.0.7',
      mode: 'full',
      hostRoot: '/mnt',
      kubeletCaFile: '/run/ca.crt',
      insecureSkipVerify: true,
      serviceAccountDir: '/run/sa',
    });
  });

  it.each(['false', 'TRUE', '1', 'yes', '', undefined])('%j does not switch the verification off', (text) => {
    expect(read({ PLIMSOLL_KUBELET_INSECURE_SKIP_VERIFY: text }).insecureSkipVerify).toBe(false);
  });

  it.each<[Environment, string]>([
    [{ NODE_NAME: undefined }, 'NODE_NAME is not set. Set it from the field spec.nodeName'],
    [{ NODE_NAME: ' ' }, 'NODE_NAME is not set'],
    [{ NODE_IP: '' }, 'NODE_IP is not set. Set it from the field status.hostIP'],
    [{ PLIMSOLL_CLUSTER_TOKEN: '' }, 'PLIMSOLL_CLUSTER_TOKEN is not set. Copy it from the Kubernetes tab'],
    [{ PLIMSOLL_CLUSTER_TOKEN_FILE: '/none' }, 'PLIMSOLL_CLUSTER_TOKEN_FILE: /none cannot be read (ENOENT: /none)'],
    [{ PLIMSOLL_NODE_AGENT_MODE: 'root' }, 'PLIMSOLL_NODE_AGENT_MODE must be one of proc, kubelet, full'],
  ])('%j: names the variable and the remedy', (change, reason) => {
    expect(() => read(change)).toThrow(SettingError);
    expect(() => read(change)).toThrow(reason);
  });
});

import type { NodeAgentMode } from '@plimsoll/contract/rules/kubernetes-limits';
import { NODE_AGENT_MODES } from '@plimsoll/contract/rules/kubernetes-limits';
import { SettingError } from '../settings.ts';

/** Settings that the DaemonSet gives its pods, beside those of every collector. */
export interface NodeSettings {
  clusterToken: string;
  nodeName: string;
  /** Address of the node, where its kubelet listens. */
  nodeIp: string;
  mode: NodeAgentMode;
  /** Mount of the host's /proc and /sys; not read in mode kubelet. */
  hostRoot: string;
  /** Signs the kubelet's certificate; null: the CA of the cluster. */
  kubeletCaFile: string | null;
  insecureSkipVerify: boolean;
  /** Holds token and ca.crt of the pod's service account. */
  serviceAccountDir: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws SettingError naming the variable and the remedy. */
export function readNodeSettings(environment: Environment, readFile: (path: string) => string): NodeSettings {
  const text = (name: string): string | null => environment[name]?.trim() || null;
  const required = (name: string, remedy: string): string => {
    const value = text(name);
    if (value === null) throw new SettingError(`${name} is not set. ${remedy}`);
    return value;
  };
  const asked = text('PLIMSOLL_NODE_AGENT_MODE') ?? 'proc';
  const mode = NODE_AGENT_MODES.find((known) => known === asked);
  if (!mode) throw new SettingError(`PLIMSOLL_NODE_AGENT_MODE must be one of ${NODE_AGENT_MODES.join(', ')}`);
  return {
    clusterToken: readToken(text, readFile),
    nodeName: required('NODE_NAME', 'Set it from the field spec.nodeName'),
    nodeIp: required('NODE_IP', 'Set it from the field status.hostIP'),
    mode,
    hostRoot: text('PLIMSOLL_HOST_ROOT') ?? '/host',
    kubeletCaFile: text('PLIMSOLL_KUBELET_CA_FILE'),
    insecureSkipVerify: text('PLIMSOLL_KUBELET_INSECURE_SKIP_VERIFY') === 'true',
    serviceAccountDir: text('PLIMSOLL_SERVICE_ACCOUNT_DIR') ?? '/var/run/secrets/kubernetes.io/serviceaccount',
  };
}

function readToken(text: (name: string) => string | null, readFile: (path: string) => string): string {
  const file = text('PLIMSOLL_CLUSTER_TOKEN_FILE');
  let token = text('PLIMSOLL_CLUSTER_TOKEN');
  if (file !== null) {
    try {
      token = readFile(file).trim();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new SettingError(`PLIMSOLL_CLUSTER_TOKEN_FILE: ${file} cannot be read (${reason})`);
    }
  }
  if (!token)
    throw new SettingError('PLIMSOLL_CLUSTER_TOKEN is not set. Copy it from the Kubernetes tab of the Setup page');
  return token;
}

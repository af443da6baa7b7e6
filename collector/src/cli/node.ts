import { readFileSync } from 'node:fs';
import { processEnvironment } from '../config.ts';
import { apiOf, type HostParts, hostParts, stateDisk } from '../host-agent.ts';
import { aliveDuring, probeFilesKeeper } from '../node/probe-files.ts';
import { enrolNode } from '../node/enrol.ts';
import { type NodeSettings, readNodeSettings } from '../node/settings.ts';
import { nodeSources } from '../node/sources.ts';
import { readCredentials, writeCredentials } from '../send/credentials.ts';
import type { Api } from '../send/http.ts';
import type { Settings } from '../settings.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit.ts';
import { type Enrolled, type Reporter, reportUntilStopped } from './reporting.ts';

export const nodeCommand: Command = {
  summary: 'Report a Kubernetes node (what the pods of the DaemonSet run)',
  help: `plimsoll node

Enrols with the cluster's token (PLIMSOLL_CLUSTER_TOKEN or PLIMSOLL_CLUSTER_TOKEN_FILE), then reports the node and what
its kubelet counts. PLIMSOLL_NODE_AGENT_MODE: proc (default, /proc and /sys of the host mounted below
PLIMSOLL_HOST_ROOT), kubelet (nothing mounted) or full. NODE_NAME and NODE_IP come from the pod's fields.
Exit status: 0 stopped by a signal, 64 a setting cannot be used, 78 the node was deleted in the dashboard,
or the dashboard does not know the token of this node.`,
  options: {},
  run: async ({ terminal, settings, signal }) => {
    const { settings: loaded } = settings();
    const node = readNodeSettings(processEnvironment(), (path) => readFileSync(path, 'utf8'));
    const parts = hostParts(loaded, terminal.err, terminal.interactive);
    if (node.insecureSkipVerify) parts.log('warn', 'the kubelet’s certificate is not verified, as the operator asked');
    const api = await apiOf(loaded, parts);
    const enrolled = await aliveDuring(stateDisk(loaded), () => credentialsFor(loaded, node, parts, api, signal));
    if (enrolled === null) return EXIT.ok;
    const reporter: Reporter = {
      settings: loaded,
      parts,
      api,
      enrolled,
      sources: nodeSources(loaded, node),
      // Only the owner of a host can opt in, in its file; a pod has none.
      checks: null,
      // A node is known by its uid: there is nothing to clone.
      enrolAsClone: () => Promise.resolve(null),
      about: { node: node.nodeName, mode: node.mode },
      keeper: (sender) => probeFilesKeeper(stateDisk(loaded), sender),
      byeReason: () => 'restart',
    };
    return reportUntilStopped(reporter, signal);
  },
};

async function credentialsFor(
  settings: Settings,
  node: NodeSettings,
  parts: HostParts,
  api: Api,
  signal: AbortSignal,
): Promise<Enrolled | null> {
  const disk = stateDisk(settings);
  const { clock, random, log, bootId } = parts;
  const request = { node_name: node.nodeName, boot_id: bootId, hostname: node.nodeName };
  const { clusterToken } = node;
  const known = readCredentials(disk);
  const enrolled = await enrolNode({ api, clusterToken, request, known, clock, random, log }, signal);
  if (enrolled) writeCredentials(disk, enrolled.credentials);
  return enrolled;
}

import { readFileSync } from 'node:fs';
import { runAgent } from '../agent.ts';
import { processEnvironment } from '../config.ts';
import { apiOf, type HostParts, hostParts, spoolDisk, stateDisk } from '../host-agent.ts';
import { randomHex128 } from '../lib/identity.ts';
import { acceptedKeeper } from '../node/accepted.ts';
import { enrolNode } from '../node/enrol.ts';
import { type NodeSettings, readNodeSettings } from '../node/settings.ts';
import { nodeSources } from '../node/sources.ts';
import type { Api } from '../send/http.ts';
import { sayBye } from '../send/bye.ts';
import { readCredentials, writeCredentials } from '../send/credentials.ts';
import { Sender } from '../send/sender.ts';
import { Spool } from '../send/spool.ts';
import type { Settings } from '../settings.ts';
import { VERSION } from '../version.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit.ts';

export const nodeCommand: Command = {
  summary: 'Report a Kubernetes node (what the pods of the DaemonSet run)',
  help: `plimsoll node

Enrols with the cluster's token (PLIMSOLL_CLUSTER_TOKEN or PLIMSOLL_CLUSTER_TOKEN_FILE), then reports the node and what
its kubelet counts. PLIMSOLL_NODE_AGENT_MODE: proc (default, /proc and /sys of the host mounted below
PLIMSOLL_HOST_ROOT), kubelet (nothing mounted) or full. NODE_NAME and NODE_IP come from the pod's fields.
Exit status: 0 stopped by a signal, 64 a setting cannot be used, 78 the node was deleted in the dashboard.`,
  options: {},
  run: async ({ terminal, settings, signal }) => {
    const { settings: loaded } = settings();
    const node = readNodeSettings(processEnvironment(), (path) => readFileSync(path, 'utf8'));
    const parts = hostParts(loaded, terminal.err, terminal.interactive);
    if (node.insecureSkipVerify) parts.log('warn', 'the kubelet’s certificate is not verified, as the operator asked');
    const api = await apiOf(loaded, parts);
    const enrolled = await credentialsFor(loaded, node, parts, api, signal);
    return enrolled === null ? EXIT.ok : report(loaded, node, parts, api, enrolled, signal);
  },
};

type Enrolled = NonNullable<Awaited<ReturnType<typeof enrolNode>>>;

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

async function report(
  settings: Settings,
  node: NodeSettings,
  parts: HostParts,
  api: Api,
  enrolled: Enrolled,
  signal: AbortSignal,
): Promise<number> {
  const { clock, log, random, bootId } = parts;
  const spool = new Spool({
    disk: spoolDisk(settings),
    newStream: randomHex128,
    onDiskState: (ok, reason) => (ok ? undefined : log('error', 'reports are kept in memory only', { reason })),
  });
  const sender: Sender = new Sender(
    {
      api,
      spool,
      clock,
      random,
      log,
      bootId,
      credentials: enrolled.credentials,
      keep: (credentials) => writeCredentials(stateDisk(settings), credentials),
      // A node is known by its uid: there is nothing to clone.
      enrolAsClone: () => Promise.resolve(null),
      onInterval: (seconds) => {
        if (settings.interval === null) sender.intervalSeconds = boundInterval(seconds);
      },
    },
    settings.interval ?? boundInterval(enrolled.intervalSeconds),
  );
  log('info', 'reporting', { server_id: sender.serverId, url: settings.url, node: node.nodeName, mode: node.mode });
  const { milliseconds } = parts;
  const sources = nodeSources(settings, node);
  const onSent = acceptedKeeper(stateDisk(settings), sender);
  const ending = await runAgent(
    { sources, spool, sender, clock, log, bootId, version: VERSION, milliseconds, onSent },
    signal,
  );
  if (ending === 'gone') return EXIT.enrolmentDead;
  await sayBye(api, sender, 'restart');
  log('info', 'stopped', { pending: spool.entries.length });
  return EXIT.ok;
}

/** A server's mistake must neither flood it nor silence the node. */
const boundInterval = (seconds: number): number => Math.min(3600, Math.max(1, seconds));

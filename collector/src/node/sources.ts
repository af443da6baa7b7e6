import { cpus } from 'node:os';
import { readFileSync } from 'node:fs';
import { hostSources } from '../host-agent.ts';
import { type Files, filesUnder } from '../runtime/files.ts';
import { orNull } from '../runtime/or-null.ts';
import { serviceAccountOf } from '../runtime/service-account.ts';
import type { Settings } from '../settings.ts';
import type { Source } from '../source.ts';
import { kubeletSource } from './kubelet-source.ts';
import { readSummary } from './kubelet.ts';
import type { NodeSettings } from './settings.ts';

/** Sources that are true inside a pod. Disks and containers come from the kubelet; units and logs are not mounted. */
const FROM_PROC = ['system', 'cpu', 'memory', 'load', 'pressure', 'disk-io', 'network', 'processes', 'connections'];
const WITHOUT_MOUNTS = ['system'];

export function nodeSources(settings: Settings, node: NodeSettings): Source[] {
  const isMounted = node.mode !== 'kubelet';
  const files = isMounted ? filesOfHost(node.hostRoot) : filesUnder('/');
  const wanted = isMounted ? FROM_PROC : WITHOUT_MOUNTS;
  const host = hostSources(settings, files).filter(({ name }) => wanted.includes(name));
  const ca = readFileSync(node.kubeletCaFile ?? `${node.serviceAccountDir}/ca.crt`, 'utf8');
  const token = () => readFileSync(`${node.serviceAccountDir}/token`, 'utf8').trim();
  const kubelet = kubeletSource({
    nodeName: node.nodeName,
    mode: node.mode,
    tlsVerified: !node.insecureSkipVerify,
    cores: cpus().length,
    read: () =>
      readSummary({
        host: node.nodeIp,
        ca,
        insecureSkipVerify: node.insecureSkipVerify,
        token,
      }),
    serviceAccount: () => serviceAccountOf(orNull(token)),
  });
  return [...host.map((source) => (source.name === 'system' ? named(source, node.nodeName) : source)), kubelet];
}

/** A pod has a host name of its own, and /proc gives the reader's. */
const named = (source: Source, hostname: string): Source => ({
  name: source.name,
  read: async (now) => {
    const taken = await source.read(now);
    const { system } = taken.part;
    return system ? { ...taken, part: { ...taken.part, system: { ...system, hostname } } } : taken;
  },
});

/** /proc/net is that of the reader's network; through process 1 it is the node's. */
export function filesOfHost(root: string): Files {
  const files = filesUnder(root);
  const place = (path: string): string => path.replace(/^proc\/net\//, 'proc/1/net/');
  return {
    text: (path) => files.text(place(path)),
    optional: (path) => files.optional(place(path)),
    lines: (path, each) => {
      files.lines(place(path), each);
    },
    bytes: (path) => files.bytes(place(path)),
    head: (path, most) => files.head(place(path), most),
    tail: (path, bytes) => files.tail(place(path), bytes),
    list: (path) => files.list(place(path)),
    link: (path) => files.link(place(path)),
    stat: (path) => files.stat(place(path)),
  };
}

import { type KubernetesObject, list, onNode } from './release.ts';

const LOG = '/var/log/plimsoll-connections';

/** A connection as it was opened: the address behind a Service, not that of the Service. */
export interface Opened {
  from: string;
  to: string;
  port: number;
  protocol: 'TCP' | 'UDP';
}

const names = () => list(['nodes']).map(({ metadata }) => metadata.name);

/** Begins to record every new connection that crosses a node. */
export function recordConnections(): void {
  for (const node of names())
    onNode(node, [
      'sh',
      '-c',
      `: > ${LOG}; nohup conntrack -E -e NEW >> ${LOG} 2> ${LOG}.problem & echo $! > ${LOG}.pid`,
    ]);
}

/** Returns what was recorded on all nodes since then. */
export const recordedConnections = (): Opened[] =>
  names().flatMap((node) => parseConnections(onNode(node, ['cat', LOG])));

export function stopRecording(): void {
  for (const node of names()) onNode(node, ['sh', '-c', `kill $(cat ${LOG}.pid); rm -f ${LOG} ${LOG}.*`]);
}

/** Reads lines of `conntrack -E`: the way there, then the way back, whose source is the end after all translations. */
export function parseConnections(text: string): Opened[] {
  return text.split('\n').flatMap((line) => {
    const protocol = /\b(tcp|udp)\b/.exec(line)?.[1]?.toUpperCase();
    const [from, to] = [...line.matchAll(/\bsrc=(\S+)/g)].map(([, address]) => address);
    const [, port] = [...line.matchAll(/\bsport=(\d+)/g)].map(([, number]) => Number(number));
    if (from === undefined || to === undefined || port === undefined) return [];
    return protocol === 'TCP' || protocol === 'UDP' ? [{ from, to, port, protocol }] : [];
  });
}

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: number | string; protocol: string }[];
}
interface Peer {
  podSelector?: { matchLabels: Record<string, string> };
}
export interface Policy extends KubernetesObject {
  spec: { podSelector: { matchLabels: Record<string, string> }; ingress?: Rule[]; egress?: Rule[] };
}
export interface PlacedPod extends KubernetesObject {
  spec: { hostNetwork?: boolean; containers: { ports?: { name?: string; containerPort: number }[] }[] };
  status: { podIP?: string };
}

const has = (pod: PlacedPod | undefined, labels: Record<string, string>): boolean =>
  pod !== undefined && Object.entries(labels).every(([name, value]) => pod.metadata.labels?.[name] === value);
const portOf = (pod: PlacedPod, port: number | string): number | undefined =>
  typeof port === 'number'
    ? port
    : pod.spec.containers.flatMap(({ ports }) => ports ?? []).find(({ name }) => name === port)?.containerPort;

/** Returns the rules of `direction` that allow `opened`; null when no policy picks `own`, so that everything is allowed. */
export function allowing(
  policies: Policy[],
  { own, peer, direction }: { own: PlacedPod; peer: PlacedPod | undefined; direction: 'ingress' | 'egress' },
  opened: Opened,
): Rule[] | null {
  const picked = policies.filter(({ spec }) => has(own, spec.podSelector.matchLabels));
  if (picked.length === 0) return null;
  const target = direction === 'ingress' ? own : peer;
  return picked
    .flatMap(({ spec }) => spec[direction] ?? [])
    .filter(({ from, to, ports }) => {
      const peers = from ?? to;
      const isPeer =
        peers === undefined || peers.some(({ podSelector }) => podSelector && has(peer, podSelector.matchLabels));
      const isPort =
        ports === undefined ||
        ports.some(
          ({ port, protocol }) =>
            protocol === opened.protocol &&
            (typeof port === 'number' ? port : target && portOf(target, port)) === opened.port,
        );
      return isPeer && isPort;
    });
}

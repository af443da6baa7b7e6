import { partEntity, serverEntity, workloadRefOf } from './entities.ts';
import type { ChangeSeen, LineSeen, PodSeen, ServerSeen } from './evidence.ts';
import type { Aspect } from './aspects.ts';
import type { Candidate, Mechanism, Shown, Specificity } from './mechanism.ts';
import type { Moment } from './moment.ts';

/** Input of the mechanisms of a machine, and the shape of their findings. */

export interface ImageChange {
  /** Namespace and name of the workload. */
  workload: string;
  at: number;
  from: string;
  to: string;
}
/** A server with its lines and changes, and the pods that run on it. */
export interface HostMoment extends ServerSeen {
  lines: readonly LineSeen[];
  changes: readonly ChangeSeen[];
  pods: readonly PodSeen[];
  imageChanges: readonly ImageChange[];
}

interface Part {
  kind: 'process' | 'unit' | 'filesystem' | 'disk' | 'interface';
  name: string;
}
export interface HostFinding {
  specificity: Specificity;
  finding: string;
  evidence: readonly Shown[];
  next: string;
  command?: string | null;
  since?: number | null;
  change?: ChangeSeen | undefined;
  /** Parts of the server that are guilty; left out: the server itself. */
  guilty?: readonly Part[];
  /** Which of the mechanisms that share a finder it is. */
  id?: string;
}
export type Find = (host: HostMoment) => HostFinding | null;

interface HostMechanism {
  id: string;
  title: string;
  brings: readonly Aspect[];
  is?: Aspect;
  find: Find;
}

export const process = (name: string): Part[] => [{ kind: 'process', name }];
export const unit = (name: string): Part[] => [{ kind: 'unit', name }];
export const filesystem = (name: string | null): Part[] => (name === null ? [] : [{ kind: 'filesystem', name }]);

/** Makes a mechanism that looks at each server by itself. */
export const hostMechanism = ({ id, title, brings, is, find }: HostMechanism): Mechanism => ({
  id,
  title,
  needs: ['servers'],
  recognise: (moment) =>
    moment.evidence.servers.flatMap((server): Candidate[] => {
      const found = find(hostMomentOf(server, moment));
      if (found === null || (found.id !== undefined && found.id !== id)) return [];
      const { guilty = [], id: _id, since = null, ...candidate } = found;
      const host = serverEntity(server.serverId, server.hostname);
      const parts = guilty.map((part) => partEntity(part.kind, server.serverId, part.name));
      return [
        {
          ...candidate,
          since,
          entities: parts.length > 0 ? parts : [host],
          reaches: [host],
          brings,
          ...(is !== undefined && { is }),
        },
      ];
    }),
});

const cache = new WeakMap<Moment, Map<string, HostMoment>>();
/** Many mechanisms look at one server: its part of the moment is made once. */
function hostMomentOf(server: ServerSeen, moment: Moment): HostMoment {
  const known = cache.get(moment) ?? new Map<string, HostMoment>();
  cache.set(moment, known);
  const found = known.get(server.serverId);
  if (found !== undefined) return found;
  const { evidence } = moment;
  const node = evidence.nodes.find(({ serverId }) => serverId === server.serverId);
  const pods =
    node === undefined ? [] : evidence.pods.filter((pod) => pod.node === node.name && pod.clusterId === node.clusterId);
  const owners = new Set(pods.map((pod) => `${pod.namespace}/${workloadRefOf(pod).name}`));
  const made: HostMoment = {
    ...server,
    lines: evidence.lines.filter(({ serverId }) => serverId === server.serverId),
    changes: evidence.changes.filter(({ serverId }) => serverId === server.serverId),
    pods,
    imageChanges: evidence.changes.flatMap((change) => {
      const image = change.fields.find(({ field }) => field.endsWith('.image'));
      const workload = `${change.namespace ?? ''}/${change.name}`;
      return image === undefined || !owners.has(workload)
        ? []
        : [{ workload, at: change.at, from: image.before ?? '', to: image.after ?? '' }];
    }),
  };
  known.set(server.serverId, made);
  return made;
}

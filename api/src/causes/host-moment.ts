import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { isNamedIn, isWithoutPlace } from './deploy-marks.ts';
import { partEntity, peerEntity, serverEntity, workloadRefOf } from './entities.ts';
import type { ChangeSeen, LineSeen, PodSeen, SeriesName, ServerSeen, WeekName } from './evidence.ts';
import { fixed } from './figures.ts';
import { each, type Candidate } from './mechanism.ts';
import type { Moment } from './moment.ts';
import { riseOf, shiftOf, usualAt, type Shift } from './shift.ts';
import { programsOf, type Change, type Program } from './suspects.ts';

/** Input of the mechanisms of a machine, and the shape of their findings. */

/** A line or an event of the machine. */
interface Said {
  text: string;
  at: number;
  /** Unit, process, disk or interface. */
  subject: string | null;
  /** The line or the event that was found. */
  kind: string;
}
/** A server with its lines and changes, and the pods that run on it. */
export interface HostMoment extends ServerSeen {
  lines: readonly LineSeen[];
  changes: readonly ChangeSeen[];
  pods: readonly PodSeen[];
  imageChanges: readonly Change[];
  programs: readonly Program[];
  /** Lines and events from 3 h before to half an hour after, the oldest first: what is said first is nearer to the cause. */
  said: readonly Said[];
  shift: (name: SeriesName) => Shift | null;
  /** Beside the usual level of the hour. */
  rise: (name: WeekName) => Shift | null;
  usual: (name: WeekName) => number | null;
}

interface Part {
  kind: 'process' | 'unit' | 'filesystem' | 'disk' | 'interface' | 'peer';
  name: string;
}
interface HostFinding extends Omit<Candidate, 'entities' | 'since' | 'reaches'> {
  since?: number | null;
  /** Parts of the server, or what it calls, that are guilty; left out: the server itself. */
  guilty?: readonly Part[];
}

export const part = (kind: Part['kind'], name: string | null | undefined): Part[] =>
  name == null ? [] : [{ kind, name }];

/** A fault that began on a server up to this long before a check failed may be its cause. */
export const LINK_SECONDS = 1800;
/**
 * Returns when a server must have changed to be accused: no alert names it, a check may be about it, and a busy program
 * of last night explains no answer of now. Null: its own alerts name it.
 */
function linkedSince({ serverId }: ServerSeen, { alerts, checks }: Moment['evidence']): number | null {
  if (checks.length === 0 || alerts.some((alert) => alert.serverId === serverId)) return null;
  return Math.min(...alerts.map(({ at }) => at), ...checks.map(({ since }) => since ?? Infinity)) - LINK_SECONDS;
}

const hosts = each<HostMoment, HostFinding>(
  (moment) => moment.evidence.servers.map((server) => hostMomentOf(server, moment)),
  ({ serverId, hostname }, { guilty = [], since = null, ...more }) => {
    const host = serverEntity(serverId, hostname);
    const parts = guilty.map(({ kind, name }) =>
      kind === 'peer' ? peerEntity(name) : partEntity(kind, serverId, name),
    );
    return { ...more, since, entities: parts.length > 0 ? parts : [host], reaches: [host] };
  },
);
/** Makes a mechanism that looks at each server by itself. */
export const hostMechanism: typeof hosts = (id, title, find) =>
  hosts(id, title, (host, moment) => {
    const found = find(host, moment);
    const from = linkedSince(host, moment.evidence);
    // A limit that is reached now says so without a beginning.
    const isNow =
      (found?.since ?? null) === null && (found?.specificity === 'stated' || found?.specificity === 'broken');
    return from === null || isNow || (found?.since ?? -Infinity) >= from ? found : null;
  });

/** "CPU 22 % → 91 %" */
export const moved = (name: string, from: number, to: number, unit = ' %', digits = 1): string =>
  `${name} ${fixed(from, digits)}${unit} → ${fixed(to, digits)}${unit}`;

const cache = new WeakMap<Moment, Map<string, HostMoment>>();
/** Many mechanisms look at one server: its part of the moment is made once. */
function hostMomentOf(server: ServerSeen, moment: Moment): HostMoment {
  const known = cache.get(moment) ?? new Map<string, HostMoment>();
  cache.set(moment, known);
  const found = known.get(server.serverId) ?? makeHostMoment(server, moment);
  known.set(server.serverId, found);
  return found;
}

function makeHostMoment(server: ServerSeen, { evidence }: Moment): HostMoment {
  const { serverId, at, series, week } = server;
  const node = evidence.nodes.find((one) => one.serverId === serverId);
  const pods = evidence.pods.filter((pod) => pod.node === node?.name && pod.clusterId === node?.clusterId);
  const owners = new Set(pods.map((pod) => `${pod.namespace}/${workloadRefOf(pod).name}`));
  const lines = evidence.lines.filter((one) => one.serverId === serverId);
  const names = [...new Set([...server.processes, ...server.events].map(({ name }) => name))];
  const saidKey = (kind: string, second: number, of: string | null): string =>
    JSON.stringify([kind, Math.round(second), of ?? '']);
  const asLines = new Set(lines.map((line) => saidKey(line.kind, line.at, line.subject)));
  const shifts = new Map<string, Shift | null>();
  const once = (key: string, make: () => Shift | null): Shift | null => {
    if (!shifts.has(key)) shifts.set(key, make());
    return shifts.get(key) ?? null;
  };
  return {
    ...server,
    lines,
    changes: evidence.changes.filter(
      (one) => one.serverId === serverId || (isWithoutPlace(one) && isNamedIn(one.title, names)),
    ),
    pods,
    imageChanges: evidence.changes.flatMap((change) => {
      const image = change.fields.find(({ field }) => field.endsWith('.image'));
      const workload = `${change.namespace ?? ''}/${change.name}`;
      return image === undefined || !owners.has(workload)
        ? []
        : [{ workload, at: change.at, text: `image ${image.before ?? ''} → ${image.after ?? ''}` }];
    }),
    programs: programsOf(server),
    said: [
      ...lines,
      // Lines of the kernel are events too.
      ...server.events
        .filter(({ type, name, at: time }) => !asLines.has(saidKey(type, time, name)))
        .map(({ type, name, message, at: time }) => ({
          text: message,
          at: time,
          subject: name === '' ? null : name,
          kind: type,
        })),
    ]
      .filter((one) => one.at <= at + HOUR_SECONDS / 2 && one.at > at - 3 * HOUR_SECONDS)
      .toSorted((a, b) => a.at - b.at || (a.text < b.text ? -1 : 1)),
    shift: (name) => once(name, () => shiftOf(series[name], at)),
    rise: (name) => once(`week ${name}`, () => riseOf(series[name], week[name], at)),
    usual: (name) => usualAt(week[name], at),
  };
}

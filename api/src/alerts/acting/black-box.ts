import { cutText } from '@plimsoll/contract/rules/printable-text';
import { BLACK_BOX_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import type { ConnectionCountsPart, ConnectionPart } from '@plimsoll/contract/wire/connection-part';
import type { ProcessPart } from '@plimsoll/contract/wire/report';
import type { EventSeverity } from '@plimsoll/contract/rules/limits';

/** Times are epoch milliseconds; values are in base units (bytes, cores, per cent 0–100). */

interface Frozen<Entry> {
  sampledAt: number;
  /** Before rows were cut. */
  total: number;
  entries: Entry[];
}
interface FrozenEvent {
  at: number;
  eventType: string;
  serviceName: string | null;
  processName: string | null;
  message: string;
  severity: EventSeverity;
}
interface FrozenPod {
  namespace: string;
  name: string;
  phase: string;
  reason: string | null;
  restartCount: number;
  cpuCores: number | null;
  memoryBytes: number | null;
  /** Set for an alert of a cluster. */
  nodeName?: string | null;
}
interface FrozenWarning {
  at: number;
  reason: string;
  message: string;
  kind: string;
  namespace: string;
  name: string;
  count: number;
}
interface FrozenNode {
  name: string;
  isReady: boolean | null;
  /** Time of the usage; null: none is stored. */
  measuredAt: number | null;
  cpuCores: number | null;
  memoryBytes: number | null;
  cpuCapacityCores: number | null;
  memoryCapacityBytes: number | null;
}
/** Last end of a container. */
interface FrozenTermination {
  at: number | null;
  namespace: string;
  podName: string;
  container: string;
  reason: string | null;
  exitCode: number | null;
  /** Last lines of its termination log. */
  message: string | null;
}
type SocketCounts = { [K in 'total' | 'established' | 'listen' | 'time_wait' | 'close_wait']: number | null } & Partial<
  Record<keyof ConnectionCountsPart, number | null>
>;

/** The lists of a server as they stood when an alert opened; null: never reported. */
export interface BlackBox {
  processes: Frozen<ProcessPart> | null;
  connections: Frozen<ConnectionPart> | null;
  /** Time and counts of the newest sample. */
  sockets: { sampledAt: number; counts: SocketCounts } | null;
  /** Newest first. */
  events: FrozenEvent[];
  /** null: the server is no node. */
  pods: Frozen<FrozenPod> | null;
  /** Set for an alert about a cluster or an object in it. */
  cluster?: {
    /** Warnings of Kubernetes, newest first. */
    events: FrozenWarning[];
    nodes: FrozenNode[];
    /** Newest first. */
    terminations: FrozenTermination[];
  } | null;
}

/** Longest text of one field: a command line or the message of an event. */
const TEXT_CHARACTERS = 512;
/** PostgreSQL stores neither a NUL nor half of a surrogate pair in jsonb. */
const storable = (text: string): string =>
  (text.length > TEXT_CHARACTERS ? `${cutText(text, TEXT_CHARACTERS - 1)}…` : text)
    .replaceAll('\u0000', '\uFFFD')
    .toWellFormed();

const shortened = (box: BlackBox): BlackBox =>
  JSON.parse(JSON.stringify(box), (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  ) as BlackBox;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Cuts texts, then the last rows of the longest list, until the whole fits. Rows are in order of importance. */
export function fitBlackBox(box: BlackBox, limit: number = BLACK_BOX_LIMITS.bytes): BlackBox {
  const fitted = shortened(box);
  const { processes, connections, pods, events, cluster } = fitted;
  const lists = [
    processes?.entries,
    connections?.entries,
    pods?.entries,
    events,
    cluster?.events,
    cluster?.nodes,
    cluster?.terminations,
  ].filter((list) => list !== undefined);
  for (let size = bytesOf(fitted); size > limit; size = bytesOf(fitted)) {
    const longest = lists.reduce((a, b) => (bytesOf(b) > bytesOf(a) ? b : a));
    if (longest.length === 0) break;
    longest.splice(Math.floor(longest.length * 0.9));
  }
  return fitted;
}

/**
 * The format of a recorded incident: the records of a monitoring product about some servers, and perhaps a cluster,
 * before and after something went wrong. You can write one without knowing how the analyser works. Please do not read the analyser
 * first: an incident proves something only if its author has not read the rules.
 *
 * Write one like this:
 *
 *     const NOW = at('2026-11-20 09:30');
 *     export const slowShop = incident({
 *       title: 'The shop is slow',
 *       cause: 'A thumbnail job that somebody started by hand takes the CPU.',
 *       mentions: [/thumbnailer/],
 *       ask: { about: 'alert', text: 'Why is the CPU of shop-1 high?' },
 *       now: NOW,
 *       servers: [
 *         server('shop-1', { cores: 8, memoryGb: 32 }, {
 *           series: {
 *             cpu_percent: minutes(NOW, 12, (t) => (t < -40 ? 30 + noise(t, 5) : 88 + noise(t, 3))),
 *             memory_percent: minutes(NOW, 12, (t) => 55 + noise(t, 1)),
 *           },
 *           processes: [
 *             list(ago(NOW, 180), [process('nginx', { pid: 812, cpu: 60, memoryMb: 400 })]),
 *             list(ago(NOW, 5), [
 *               process('nginx', { pid: 812, cpu: 62, memoryMb: 400 }),
 *               process('thumbnailer', { pid: 9921, cpu: 480, memoryMb: 900, startedAt: ago(NOW, 40) }),
 *             ]),
 *           ],
 *           events: [event(ago(NOW, 40), 'process_start', 'thumbnailer started')],
 *         }),
 *       ],
 *       alerts: [{ at: ago(NOW, 25), metric: 'cpu_usage', subject: 'shop-1', value: 88, line: 80, level: 'warning' }],
 *     });
 *
 * Rules of the format:
 * - Record what a real machine would show, with noise, with harmless events and idle processes beside the cause, and with
 *   the usual wave of a day. Other servers may be there to compare with.
 * - Series may be as fine as a minute and as coarse as an hour, and end at `now`. A week is useful, 12 hours are enough. A
 *   value null is a moment without a report. Leave out what the machine does not have.
 * - Two lists of processes are the least: one well before (about 3 hours; 12 for questions about memory) and one at the
 *   moment. Each holds the greediest 10 to 20 of the machine.
 * - The alert asked about is the last one whose subject the question names. An alert of a disk has the subject
 *   `HOST MOUNT`, one of a pod `NAMESPACE/POD`, any other the host. Metrics: cpu_usage, memory_usage, swap_usage,
 *   disk_usage, inode_usage, io_wait, load_per_core, network_errors, offline, systemd_unit_failed, node_not_ready,
 *   node_pressure, pod_restarts, pod_crash_loop, pod_oom_kill, pod_pending, pod_image_pull, volume_usage.
 * - A question about a pod names the pod.
 * - `mentions` is what a right answer must say: the name of the program, the image, the mount, the kind of event. `cause`
 *   is for the person who judges the answer.
 */

export type Pair = readonly [at: number, value: number | null];

/** All optional. Per cents are 0–100 of the machine, rates bytes per second. */
interface IncidentSeries {
  cpu_percent?: readonly Pair[];
  memory_percent?: readonly Pair[];
  /** By mount point. */
  disk_percent?: Readonly<Record<string, readonly Pair[]>>;
  io_wait_percent?: readonly Pair[];
  disk_operations_per_second?: readonly Pair[];
  swap_percent?: readonly Pair[];
  load1?: readonly Pair[];
  network_rx_bytes_per_second?: readonly Pair[];
  network_tx_bytes_per_second?: readonly Pair[];
  /** Open TCP connections of every state, and of three single states. */
  connections?: readonly Pair[];
  time_wait?: readonly Pair[];
  close_wait?: readonly Pair[];
  syn_recv?: readonly Pair[];
  tcp_retransmits_per_second?: readonly Pair[];
}

export interface IncidentProcess {
  pid: number;
  name: string;
  /** 250: two and a half cores. */
  cpu_percent_of_one_core: number;
  memory_bytes: number;
  /** Epoch seconds; absent: not known. */
  started_at?: number;
}

export type EventKind =
  | 'service_start'
  | 'service_stop'
  | 'service_restart'
  | 'process_start'
  | 'process_stop'
  | 'process_crash'
  | 'config_change'
  | 'update_installed'
  | 'system_monitoring';

export interface IncidentServer {
  hostname: string;
  cores: number;
  memory_bytes: number;
  series: IncidentSeries;
  processes: readonly { at: number; list: readonly IncidentProcess[] }[];
  events: readonly { at: number; kind: EventKind; text: string }[];
  /** Stretches without reports, with the reason that the product found. */
  gaps?: readonly {
    from: number;
    to: number;
    reason: 'host_off' | 'rebooted' | 'agent_stopped' | 'link_lost' | 'server_down' | 'unexplained' | 'silent';
  }[];
  /** Inodes in use by mount point, per cent, now. */
  inodes_percent?: Readonly<Record<string, number>>;
  /** Systemd units in the state failed, now. */
  failed_units?: readonly string[];
  /** The difference of its clock to the right time, now. */
  clock_skew_seconds?: number;
}

export interface IncidentPod {
  namespace: string;
  name: string;
  /** Null: not scheduled. */
  node: string | null;
  /** Such as Deployment/shop-api. */
  owner: string;
  image: string;
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  /** CrashLoopBackOff, ImagePullBackOff, Evicted, Unschedulable …; null: nothing is wrong with its state. */
  reason: string | null;
  ready: boolean;
  created_at: number;
  cpu_limit_cores: number | null;
  memory_limit_bytes: number | null;
  /** `reason` as the kubelet gives it (OOMKilled, Error, Completed …), `message` the last words of the container. */
  restarts: readonly { at: number; reason: string | null; exit_code: number | null; message?: string | null }[];
  series?: { cpu_cores?: readonly Pair[]; memory_bytes?: readonly Pair[] };
  /** Claims it mounts, with their use. */
  volumes?: readonly { claim: string; phase: string; used_percent: number | null; reason?: string }[];
}

export interface IncidentCluster {
  nodes: readonly {
    name: string;
    hostname: string;
    ready: boolean;
    cpu_cores: number;
    conditions: readonly { type: string; status: string; since: number; reason: string; message: string }[];
  }[];
  pods: readonly IncidentPod[];
  /** `object` is "KIND NAMESPACE/NAME", or "Node NAME". */
  events: readonly { at: number; type: string; reason: string; object: string; message: string }[];
  /** `workload` is "NAMESPACE/NAME". */
  workload_changes: readonly { at: number; workload: string; from_image: string; to_image: string }[];
}

export interface IncidentAlert {
  at: number;
  metric: string;
  subject: string;
  value: number;
  line: number;
  level: string;
}

export interface Incident {
  title: string;
  cause: string;
  mentions: readonly RegExp[];
  ask: { about: 'alert' | 'server' | 'pod' | 'fleet'; text: string };
  now: number;
  servers: readonly IncidentServer[];
  alerts: readonly IncidentAlert[];
  kubernetes?: IncidentCluster;
}

/** Checks the types and returns the incident. */
export const incident = (written: Incident): Incident => written;

/** Epoch seconds of a moment in UTC, such as "2026-11-20 09:30". */
export const at = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}:00Z`) / 1000;
export const ago = (now: number, minutesAgo: number): number => now - minutesAgo * 60;

/** A point every `step` minutes of the last `hours`; `value` gets the minutes from `now`, so -90 is an hour and a half ago. */
export const minutes = (
  now: number,
  hours: number,
  value: (minutesFromNow: number) => number | null,
  step = 5,
): Pair[] =>
  Array.from({ length: Math.floor((hours * 60) / step) + 1 }, (_, index): Pair => {
    const from = -hours * 60 + index * step;
    return [now + from * 60, value(from)];
  });

/** Noise between -size and size. It is the same in every run. */
export const noise = (seed: number, size: number): number => {
  const wave = Math.sin(seed * 12.9898 + 4.1414) * 43_758.5453;
  return (2 * (wave - Math.floor(wave)) - 1) * size;
};

export const process = (
  name: string,
  of: { pid: number; cpu: number; memoryMb: number; startedAt?: number },
): IncidentProcess => ({
  pid: of.pid,
  name,
  cpu_percent_of_one_core: of.cpu,
  memory_bytes: of.memoryMb * 2 ** 20,
  ...(of.startedAt !== undefined && { started_at: of.startedAt }),
});
export const list = (
  moment: number,
  processes: readonly IncidentProcess[],
): { at: number; list: readonly IncidentProcess[] } => ({ at: moment, list: processes });
export const event = (moment: number, kind: EventKind, text: string): IncidentServer['events'][number] => ({
  at: moment,
  kind,
  text,
});
export const server = (
  hostname: string,
  size: { cores: number; memoryGb: number },
  recorded: Partial<Omit<IncidentServer, 'hostname' | 'cores' | 'memory_bytes'>>,
): IncidentServer => ({
  hostname,
  cores: size.cores,
  memory_bytes: size.memoryGb * 2 ** 30,
  series: {},
  processes: [],
  events: [],
  ...recorded,
});

/** A pod that is well; give what differs. */
export const pod = (
  namespace: string,
  name: string,
  recorded: Partial<IncidentPod> & Pick<IncidentPod, 'node' | 'owner' | 'image' | 'created_at'>,
): IncidentPod => ({
  namespace,
  name,
  phase: 'Running',
  reason: null,
  ready: true,
  cpu_limit_cores: null,
  memory_limit_bytes: null,
  restarts: [],
  ...recorded,
});

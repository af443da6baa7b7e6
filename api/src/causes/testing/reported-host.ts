import { fullReport } from '../../testing/full-report.ts';
import { reportsBody, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';

/** A host that reports to the app as its collector does, each minute or less often. */
export interface ReportedHost extends TestAgent {
  /** Sends reports of the minutes from `first` to `last`, counted from the base: negative ones are before it. */
  report: (first: number, last: number, parts: Parts, more?: { step?: number; boot?: Boot }) => Promise<void>;
}
/** `up`: seconds since the boot at the last of the minutes. */
interface Boot {
  id: string;
  up: number;
}
type Parts = (minute: number) => Record<string, unknown>;

const GB = 2 ** 30;
const MINUTE_MS = 60_000;
const UP = 10_000_000;
const ITEMS = 100;

/** A machine of four cores at rest. */
export const atRest = (hostname: string, cpu = 12, memory = 40): Record<string, unknown> => ({
  cpu: {
    percent: cpu,
    io_wait_percent: 0.5,
    steal_percent: 0,
    user_percent: cpu / 2,
    system_percent: cpu / 2,
    per_core_percent: [cpu, cpu, cpu, cpu],
  },
  memory: {
    total_bytes: 8 * GB,
    available_bytes: (8 * GB * (100 - memory)) / 100,
    used_bytes: (8 * GB * memory) / 100,
    swap_total_bytes: GB,
    swap_used_bytes: 0,
  },
  filesystems: [filesystem('/', 30)],
  system: { ...(fullReport(hostname, 0)['system'] as object), uptime_seconds: UP, region: null },
  load: { one: cpu / 25, five: cpu / 25, fifteen: cpu / 25 },
});

const filesystem = (mount: string, percent: number, inodes = 10) => ({
  mount,
  device: `/dev/${mount}`,
  type: 'ext4',
  size_bytes: 100 * GB,
  used_bytes: percent * GB,
  available_bytes: (100 - percent) * GB,
  inodes_total: 1000,
  inodes_used: inodes * 10,
});

export const program = (name: string, cpu: number, startedAt: number, more: Record<string, unknown> = {}) => ({
  pid: 1000 + name.length,
  name,
  command: `/usr/bin/${name}`,
  user: 'root',
  status: 'R',
  cpu_percent: cpu,
  memory_percent: 1,
  memory_bytes: 2 ** 27,
  threads: 1,
  started_at: startedAt,
  ...more,
});

let serial = 0;
export const told = (type: string, ts: number, message: string, name: string | null = null) => ({
  id: `e-${String((serial += 1))}`,
  event_type: type,
  service_name: name,
  process_name: null,
  message,
  severity: 'warning',
  ts,
});

/** Enrols a host. `base`: epoch ms of the minute 0. */
export async function reportedHost(
  app: TestApp,
  user: TestUser,
  hostname: string,
  base = app.clock.now(),
): Promise<ReportedHost> {
  const agent = await app.newAgent(user, hostname);
  let seq = 0;
  const send = async (minutes: readonly number[], parts: Parts, boot: Boot): Promise<void> => {
    const now = Math.max(app.clock.now(), base + (minutes.at(-1) ?? 0) * MINUTE_MS);
    app.clock.ms = now;
    const items = minutes.map((minute) => {
      const at = base + minute * MINUTE_MS;
      seq += 1;
      return { seq, ts: at / 1000, up: boot.up - (now - at) / 1000, ...parts(minute) };
    });
    const body = reportsBody(agent, now, items, { up_now: boot.up, boot_id: boot.id });
    const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
    const { rejected } = answer.json as unknown as { rejected: unknown[] };
    if (answer.status !== 200 || rejected.length > 0) throw new Error(answer.text);
  };
  return {
    ...agent,
    report: async (first, last, parts, { step = 1, boot = { id: 'boot-1', up: UP } } = {}) => {
      const minutes = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);
      for (let start = 0; start < minutes.length; start += ITEMS)
        await send(minutes.slice(start, start + ITEMS), parts, boot);
    },
  };
}

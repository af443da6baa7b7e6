import { randomBytes, createHash } from 'node:crypto';
import type { Report, ReportEnvelope } from '@plimsoll/contract/wire/report';
import { PROTOCOL_VERSION, REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { hostReport } from './host-report.ts';
import type { HostSample } from './host-report.ts';

/** A machine that speaks the agents' protocol to a real API. */
export interface FleetServer {
  hostname: string;
  region?: string;
  tags?: Record<string, string>;
  /** Figures at a number of seconds before now; null at that moment: no report. */
  sample: (secondsAgo: number) => HostSample | null;
  /** Length of its reported history, in seconds; 0 is one report now. */
  history?: number;
  /** Seconds before now of its newest report. */
  silentFor?: number;
}

export interface EnrolledServer {
  id: string;
  hostname: string;
  /** Sends one more report, taken now. */
  report: (sample: HostSample) => Promise<void>;
  bye: () => Promise<void>;
}

/** Seconds between two samples of a history: below 2.5 intervals, so that no gap is seen. */
const STEP_SECONDS = 120;
const TOO_MANY = 429;
/** Seconds since each machine started. */
const UPTIME_SECONDS = 533_000;

async function post<T>(url: string, token: string | null, body: unknown): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (response.status === TOO_MANY) {
    // The API names its pace; a machine keeps to it.
    const seconds = Number(response.headers.get('retry-after')) || 1;
    await new Promise((next) => setTimeout(next, seconds * 1000));
    return post(url, token, body);
  }
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${String(response.status)}: ${text}`);
  return (JSON.parse(text) as { data?: T }).data ?? (JSON.parse(text) as T);
}

function historyOf(server: FleetServer): Report[] {
  const newest = server.silentFor ?? 0;
  const count = Math.floor((server.history ?? 0) / STEP_SECONDS) + 1;
  const ages = Array.from({ length: count }, (_, index) => newest + (count - 1 - index) * STEP_SECONDS);
  return ages.flatMap((age, index) => {
    const sample = server.sample(age);
    if (sample === null) return [];
    return [hostReport({ seq: index + 1, secondsAgo: age, uptime: UPTIME_SECONDS, server, sample })];
  });
}

class Machine {
  readonly #origin: string;
  readonly #server: FleetServer;
  readonly #id: string;
  readonly #token: string;
  readonly #stream = randomBytes(16).toString('hex');
  readonly #bornMs = Date.now();
  #seq = 0;

  constructor(origin: string, server: FleetServer, id: string, token: string) {
    this.#origin = origin;
    this.#server = server;
    this.#id = id;
    this.#token = token;
  }

  async send(reports: readonly Report[]): Promise<void> {
    for (let at = 0; at < reports.length; at += REPORT_LIMITS.reportsPerRequest) {
      const chunk = reports.slice(at, at + REPORT_LIMITS.reportsPerRequest);
      this.#seq = Math.max(this.#seq, ...chunk.map((report) => report.seq));
      const body: ReportEnvelope = {
        v: PROTOCOL_VERSION,
        server_id: this.#id,
        stream_id: this.#stream,
        boot_id: 'boot-1',
        sent_at: Date.now() / 1000,
        up_now: this.#uptime(),
        dropped: [],
        reports: chunk,
      };
      await post(`${this.#origin}/api/agent/v1/reports`, this.#token, body);
    }
  }

  #uptime(): number {
    return UPTIME_SECONDS + (Date.now() - this.#bornMs) / 1000;
  }

  async reportNow(sample: HostSample): Promise<void> {
    this.#seq += 1;
    await this.send([
      hostReport({ seq: this.#seq, secondsAgo: 0, uptime: this.#uptime(), server: this.#server, sample }),
    ]);
  }

  async bye(): Promise<void> {
    await post(`${this.#origin}/api/agent/v1/bye`, this.#token, { reason: 'uninstall' });
  }
}

/** Enrols one machine and sends its history, as an agent would after an outage. */
export async function enrol(origin: string, enrolmentToken: string, server: FleetServer): Promise<EnrolledServer> {
  const machine_hash = createHash('sha256')
    .update(`${server.hostname}/${randomBytes(8).toString('hex')}`)
    .digest('hex');
  const answer = await post<{ server_id: string; agent_token: string }>(`${origin}/api/agent/v1/enrol`, null, {
    enrolment_token: enrolmentToken,
    machine_hash,
    hostname: server.hostname,
    ...(server.tags ? { tags: server.tags } : {}),
  });
  const machine = new Machine(origin, server, answer.server_id, answer.agent_token);
  await machine.send(historyOf(server));
  return {
    id: answer.server_id,
    hostname: server.hostname,
    report: (sample) => machine.reportNow(sample),
    bye: () => machine.bye(),
  };
}

/** A token of the signed-in person that lets machines enrol. */
export async function enrolmentToken(origin: string, sessionToken: string): Promise<string> {
  const { token } = await post<{ token: string }>(`${origin}/api/user/enrolment-tokens`, sessionToken, {});
  return token;
}

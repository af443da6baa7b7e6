import type { DroppedRange, Report, ReportAnswer, ReportEnvelope } from '@plimsoll/contract/wire/report';
import type { Api, ReadingApi, Reply } from '../send/http.ts';

/** A server that speaks the contract in memory: accepts reports, or gives scripted answers. */
export interface FakeApi extends Api, ReadingApi {
  /** Response to GET; null: 404. */
  config: Reply | null;
  requests: { path: string; body: unknown; token: string | null }[];
  /** Reports by stream and seq: the effect, counted once. */
  stored: Map<string, Report>;
  dropped: DroppedRange[];
  /** Answers of the next requests; "lost" stores the report and then loses the answer. */
  script: (Reply | 'lost')[];
  /** Answers every request with this while it is set. */
  always: Reply | null;
  answer: Partial<ReportAnswer>;
  /** Time that passes while a request is on its way: before the server reads it, and before its answer arrives. */
  delays: { there: () => void; back: () => void };
}

export const status = (code: number, body: unknown = null, retryAfterSeconds: number | null = null): Reply => ({
  kind: 'answer',
  status: code,
  body,
  retryAfterSeconds,
});
export const failed = (code: string): Reply => ({ kind: 'failed', code });

export function fakeApi(wall: () => number): FakeApi {
  const api: FakeApi = {
    requests: [],
    stored: new Map(),
    dropped: [],
    script: [],
    config: null,
    always: null,
    answer: {},
    delays: { there: () => {}, back: () => {} },
    get: (path, token) => {
      api.requests.push({ path, body: null, token });
      return Promise.resolve(api.config ?? status(404));
    },
    post: async (path, sent, token) => {
      api.delays.there();
      const reply = answered(path, sent, token);
      api.delays.back();
      return reply;
    },
  };
  const answered = (path: string, sent: object | string, token: string | null): Reply => {
    const body: unknown = typeof sent === 'string' ? JSON.parse(sent) : sent;
    api.requests.push({ path, body, token });
    if (api.always) return api.always;
    const told = api.script.shift();
    if (told !== undefined && told !== 'lost') return told;
    const reply = path.endsWith('/reports')
      ? status(200, settle(api, body as ReportEnvelope, wall()))
      : status(200, {});
    return told === 'lost' ? failed('ECONNRESET') : reply;
  };
  return api;
}

function settle(api: FakeApi, envelope: ReportEnvelope, wall: number): ReportAnswer {
  for (const report of envelope.reports) api.stored.set(`${envelope.stream_id}/${report.seq}`, report);
  api.dropped.push(...envelope.dropped);
  const settled = new Set(envelope.reports.map((report) => report.seq));
  for (const key of api.stored.keys()) {
    const [stream, seq] = key.split('/');
    if (stream === envelope.stream_id) settled.add(Number(seq));
  }
  let upto = 0;
  while (settled.has(upto + 1)) upto += 1;
  const also = [...settled].filter((seq) => seq > upto);
  const next = { interval: 60, delay: 0 };
  return { ack: { upto, also }, rejected: [], server_time: wall, next, config_rev: 0, ...api.answer };
}

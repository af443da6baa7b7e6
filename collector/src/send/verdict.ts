import type { ReportAnswer } from '@plimsoll/contract/wire/report';
import type { Reply } from './http.ts';

/** Next step of the sender after the answer to a batch of reports. */
export type Verdict =
  | { do: 'settle'; answer: ReportAnswer }
  /** The batch is too much, or one of its items cannot be read: try with half of it. */
  | { do: 'halve'; code: string; detail?: string }
  | { do: 'retry'; code: string }
  | { do: 'wait'; code: string; seconds: number }
  | { do: 'unauthorized'; code: string }
  | { do: 'unspoken'; code: string }
  | { do: 'renew'; code: string }
  | { do: 'gone'; code: string };

/** Retry-After when a busy server names none, in seconds. */
const BUSY_SECONDS = 30;

/** The table of the protocol: status → what to do. */
export function judge(reply: Reply): Verdict {
  if (reply.kind === 'failed') return { do: 'retry', code: reply.code };
  const code = codeOf(reply);
  switch (reply.status) {
    case 200:
    case 207: {
      const answer = asAnswer(reply.body);
      return answer ? { do: 'settle', answer } : { do: 'retry', code: 'answer_unreadable' };
    }
    case 400:
    case 413:
    case 422:
      return { do: 'halve', code, ...detailOf(reply) };
    case 401:
    case 403:
      return { do: 'unauthorized', code };
    case 409:
      return { do: 'renew', code };
    case 410:
      return { do: 'gone', code };
    case 415:
    case 426:
      return { do: 'unspoken', code };
    case 429:
    case 503:
      return { do: 'wait', code, seconds: reply.retryAfterSeconds ?? BUSY_SECONDS };
    default:
      return { do: 'retry', code };
  }
}

/** The error's code as the API names it, else the status. */
export function codeOf(reply: Extract<Reply, { kind: 'answer' }>): string {
  const body = reply.body as { code?: unknown } | null;
  return typeof body?.code === 'string' ? body.code.slice(0, 40) : `http_${reply.status}`;
}

function detailOf({ body }: Extract<Reply, { kind: 'answer' }>): { detail?: string } {
  const detail = (body as { detail?: unknown } | null)?.detail;
  return typeof detail === 'string' ? { detail } : {};
}

/** The fields this side relies on, checked; an answer without them settles nothing. */
function asAnswer(body: unknown): ReportAnswer | null {
  const answer = body as Partial<ReportAnswer> | null;
  if (typeof answer?.ack?.upto !== 'number' || !Array.isArray(answer.ack.also)) return null;
  if (!Array.isArray(answer.rejected) || typeof answer.server_time !== 'number') return null;
  if (typeof answer.next?.interval !== 'number' || typeof answer.next.delay !== 'number') return null;
  return answer as ReportAnswer;
}

/** Log message of each verdict. */
export const VERDICT_MESSAGES: Record<Verdict['do'], string> = {
  settle: 'reports accepted',
  halve: 'the server refused a batch, sending smaller ones',
  retry: 'the server cannot be reached, reports are kept and tried again',
  wait: 'the server is busy, reports are kept',
  unauthorized: 'the server does not know this token. Enrol again: plimsoll enrol --token TOKEN',
  unspoken: 'the server does not speak this protocol version. Update the collector or the server; reports are kept',
  renew: 'another machine reports under this identity (a clone?): enrolling as a new server',
  gone: 'this server was deleted in the dashboard: stopping',
};

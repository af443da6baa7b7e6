import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { LONGEST_RETRY_AFTER, retryAfterSeconds } from '@plimsoll/contract/rules/retry-after';
import { timerMs } from '@plimsoll/contract/rules/timer';
import { gzip, readCapped } from '../runtime/gzip.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Result of one request. `failed`: no usable answer; the code gives the cause. */
export type Reply =
  | { kind: 'answer'; status: number; body: unknown; retryAfterSeconds: number | null }
  | { kind: 'failed'; code: string };

export interface Api {
  /** Never throws. The path starts with a slash; a body that is a string is JSON already. */
  post(path: string, body: object | string, token: string | null, timeoutMs?: number): Promise<Reply>;
}
/** Reads what the API has for this host. */
export interface ReadingApi {
  /** Never throws. Reads at most `answerBytes`. */
  get(path: string, token: string, answerBytes: number): Promise<Reply>;
}

const REQUEST_TIMEOUT_MS = 10_000;

/** Speaks to one API: JSON, gzip, no redirect followed (the token would go along), answers of 64 KiB at most unless told. */
export function apiAt(
  baseUrl: string,
  fetchFrom: Fetch,
  userAgent: string,
  extra: RequestInit = {},
  answerBytes: number = REPORT_LIMITS.answerBytes,
): Api & ReadingApi {
  const base = baseUrl.replace(/\/+$/, '');
  return {
    get: async (path, token, mostBytes) => {
      const headers = { accept: 'application/json', 'user-agent': userAgent, authorization: `Bearer ${token}` };
      try {
        const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
        return await readReply(
          await fetchFrom(base + path, { ...extra, headers, redirect: 'manual', signal }),
          mostBytes,
        );
      } catch (error) {
        return { kind: 'failed', code: failureCode(error) };
      }
    },
    post: async (path, body, token, timeoutMs = REQUEST_TIMEOUT_MS) => {
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        accept: 'application/json',
        'user-agent': userAgent,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      };
      try {
        const signal = AbortSignal.timeout(timerMs(timeoutMs));
        const packed = await gzip(typeof body === 'string' ? body : JSON.stringify(body));
        const init = { ...extra, method: 'POST', headers, body: packed, redirect: 'manual', signal } as const;
        return await readReply(await fetchFrom(base + path, init), answerBytes);
      } catch (error) {
        return { kind: 'failed', code: failureCode(error) };
      }
    },
  };
}

async function readReply(response: Response, answerBytes: number): Promise<Reply> {
  const { status } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    return { kind: 'failed', code: 'redirected' };
  }
  const bytes = response.body ? await readCapped(response.body, answerBytes) : new Uint8Array();
  const limits = { nowMs: Date.now(), mostSeconds: LONGEST_RETRY_AFTER.collector };
  const after = retryAfterSeconds(response.headers.get('retry-after'), limits);
  return { kind: 'answer', status, body: parseJson(bytes), retryAfterSeconds: after };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

/** "timeout", the system's code (ECONNREFUSED), or the error's name; never its text, which may hold the URL. */
function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  const cause = error.cause as { code?: unknown } | undefined;
  const own = (error as { code?: unknown }).code;
  if (typeof cause?.code === 'string') return cause.code;
  if (typeof own === 'string') return own;
  return error.message.startsWith('more than') ? 'answer_too_large' : error.name;
}

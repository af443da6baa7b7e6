import type { ReaderState } from '@plimsoll/contract/rules/kubernetes-limits';

/** An answer of the API server that is not 2xx; status 0: there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, message: string, retryAfterSeconds: number | null = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Maps an error to a reader state. The API server and a healthy aggregated API differ by status alone. */
export function readerStateOf(error: unknown): ReaderState {
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 403 || status === 401) return 'forbidden';
  if (status === 404) return 'absent';
  return status >= 500 || status === 429 ? 'down' : 'unreachable';
}

/** One line for a person; the server's own words where it had any. */
export function reasonOf(error: unknown, needs: string | null): string {
  const status = error instanceof ApiError ? error.status : 0;
  const words = error instanceof Error ? error.message : String(error);
  if (status === 401) return 'the API server does not accept our service account token';
  if (status === 403 && needs) return `forbidden: needs ${nounFirst(needs)}`;
  if (status === 404) return `not served by this cluster: ${words}`;
  return words;
}

/** "get nodes/stats" → "nodes/stats get". */
const nounFirst = (needs: string): string => needs.replace(/^(\S+) (.+)$/, '$2 $1');

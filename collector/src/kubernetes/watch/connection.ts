import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { LONGEST_RETRY_AFTER, retryAfterSeconds } from '@plimsoll/contract/rules/retry-after';
import { timerMs } from '@plimsoll/contract/rules/timer';
import { serviceAccountOf } from '../../runtime/service-account.ts';
import { ApiError } from './api-error.ts';

/** Address of the API server and the credentials for it. */
export interface Credentials {
  /** Base address without a trailing slash. */
  server: string;
  ca?: string | Buffer;
  cert?: string | Buffer;
  key?: string | Buffer;
  insecureSkipVerify?: boolean;
  /** Read before each request; `fresh` skips any cache, after a 401. */
  token(fresh: boolean): Promise<string | null>;
}

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  contentType?: string;
  accept?: string;
  signal?: AbortSignal;
  /** Gives up when no byte arrived for so long; 0 never. Default 30 s. */
  idleMs?: number;
}

/** Idle sockets are closed before common load balancers (60 s) drop them silently. */
const KEEP_ALIVE_MS = 30_000;
const MAX_SOCKETS = 32;
const IDLE_MS = 30_000;
const ERROR_BODY_BYTES = 64 * 1024;

/**
 * HTTP to the API server over one kept agent: the generated client opens a TLS connection per call. Fails with ApiError
 * for every answer but 2xx, and with status 0 when there was none.
 */
export class Connection {
  readonly #credentials: Credentials;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #secure: boolean;
  /** Requests sent since the start. */
  requests = 0;

  constructor(credentials: Credentials) {
    const { ca, cert, key, insecureSkipVerify } = credentials;
    const keep = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS, maxSockets: MAX_SOCKETS };
    this.#credentials = credentials;
    this.#secure = credentials.server.startsWith('https:');
    this.#agent = this.#secure
      ? new HttpsAgent({
          ...keep,
          ...(ca === undefined ? {} : { ca }),
          ...(cert === undefined ? {} : { cert }),
          ...(key === undefined ? {} : { key }),
          rejectUnauthorized: insecureSkipVerify !== true,
        })
      : new HttpAgent(keep);
  }

  /** The answer with its body unread. A 401 is tried once more with the token read anew. */
  async open(request: ApiRequest): Promise<IncomingMessage> {
    const first = await this.#send(request, await this.#credentials.token(false));
    if (first.statusCode !== 401) return failUnlessOk(first);
    const token = await this.#credentials.token(true);
    first.resume();
    return failUnlessOk(await this.#send(request, token));
  }

  async json<T>(request: ApiRequest): Promise<T> {
    return JSON.parse(await readText(await this.open(request))) as T;
  }

  /** "namespace:name" of the account we are; null outside a cluster or while its token cannot be read. */
  async serviceAccount(): Promise<string | null> {
    try {
      return serviceAccountOf(await this.#credentials.token(false));
    } catch {
      return null;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(request: ApiRequest, token: string | null): Promise<IncomingMessage> {
    const url = new URL(this.#credentials.server + request.path);
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const headers: Record<string, string> = { accept: request.accept ?? 'application/json' };
    if (token) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = request.contentType ?? 'application/json';
    this.requests += 1;
    return new Promise((resolve, reject) => {
      const send = this.#secure ? httpsRequest : httpRequest;
      const outgoing = send(
        url,
        {
          agent: this.#agent,
          method: request.method ?? 'GET',
          headers,
          ...(request.signal ? { signal: request.signal } : {}),
        },
        resolve,
      );
      const idleMs = request.idleMs ?? IDLE_MS;
      if (idleMs > 0)
        outgoing.setTimeout(timerMs(idleMs), () => outgoing.destroy(new Error(`no answer for ${idleMs / 1000} s`)));
      outgoing.on('error', (cause) => reject(new ApiError(0, `${url.host}: ${cause.message}`, null, cause)));
      outgoing.end(body);
    });
  }
}

export async function readText(answer: IncomingMessage, maxBytes = Infinity): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new ApiError(0, `answer broke off: ${(cause as Error).message}`, null, cause);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function failUnlessOk(answer: IncomingMessage): Promise<IncomingMessage> {
  const status = answer.statusCode ?? 0;
  if (status >= 200 && status < 300) return answer;
  const text = await readText(answer, ERROR_BODY_BYTES).catch(() => '');
  const limits = { nowMs: Date.now(), mostSeconds: LONGEST_RETRY_AFTER.reader };
  const after = retryAfterSeconds(answer.headers['retry-after'], limits);
  throw new ApiError(status, messageOf(text) ?? `status ${status}`, after);
}

/** `message` of a metav1.Status, else the start of what came. */
function messageOf(text: string): string | null {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string' && message) return message.slice(0, 500);
  } catch {
    // Proxies in between answer in their own words.
  }
  return text.trim().slice(0, 200) || null;
}

import { connectThrough, type EgressProxy } from './egress-proxy.ts';
import { CodedError } from './errors.ts';
import { isInRanges, isPublicAddress } from '@plimsoll/contract/probes/address-rules';
import { timerMs } from '@plimsoll/contract/rules/timer';
import { lookup } from 'node:dns/promises';
import { request as httpsRequest } from 'node:https';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { isIP } from 'node:net';
import { Duplex, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';

export type { EgressProxy };

export class EgressError extends Error {
  override readonly name = 'EgressError';
  /** The whole request was sent, so the other side may have acted on it. */
  readonly mayHaveArrived: boolean;
  constructor(message: string, mayHaveArrived = false) {
    super(message);
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** The name leads to an address that only the operator may open. */
export class PrivateAddressError extends EgressError {
  constructor() {
    super('leads to a private address');
  }
}

export interface EgressOptions {
  /** Bytes of the answer read at most. */
  maxBytes: number;
  /** Cuts a longer answer instead of refusing it: the status says what counts. Only of `egressRequest`. */
  isCutAllowed?: boolean;
  /** For all of it: resolving the name, connecting, and reading the answer. */
  timeoutMs: number;
  headers?: Record<string, string>;
  /** Default: GET. */
  method?: 'GET' | 'POST';
  body?: string | Uint8Array;
  /** For URLs the operator set: they may be private. Tests use it for loopback. */
  allowPrivate?: boolean;
  /** Private addresses and CIDR ranges that the operator opens for URLs of users. */
  allowedRanges?: readonly string[];
  /** The way out for public addresses. Private ones that are allowed are in a network of the API's own. */
  proxy?: EgressProxy | null;
  /** Tests give one that never answers. */
  resolve?: (host: string) => Promise<Pin>;
}
export interface Pin {
  address: string;
  family: number;
}
export interface EgressAnswer {
  status: number;
  contentType: string;
  /** The header Retry-After in seconds; null: none, or neither a number nor a date. */
  retryAfterSeconds: number | null;
  body: Buffer;
}

/**
 * Sends a request to a URL that somebody else chose. The name is resolved once and the connection pinned to that
 * address, so that a name cannot point elsewhere between check and use; redirects are not followed. Throws `EgressError`.
 */
export async function egressRequest(text: string, options: EgressOptions): Promise<EgressAnswer> {
  const url = requireWebAddress(text);
  const signal = AbortSignal.timeout(timerMs(options.timeoutMs));
  const to = await destinationOf(hostOf(url), options, signal);
  const { proxy } = options;
  if (proxy == null || (typeof to !== 'string' && !isPublicAddress(to.address)))
    return send(url, to as Pin, options, signal);
  const socket = await connectThrough(proxy, url, typeof to === 'string' ? to : to.address, signal).catch(
    (error: unknown) => {
      throw new EgressError(error instanceof Error ? error.message : 'the proxy was not reached');
    },
  );
  return send(url, socket, options, signal);
}

/** Returns the address to connect to, or the name where the proxy resolves it and no private address is known for it here. */
async function destinationOf(host: string, options: EgressOptions, signal: AbortSignal): Promise<Pin | string> {
  if (options.proxy?.resolvesNames !== true) return pinAddress(host, options, signal);
  const pin = await pinAddress(host, options, signal).catch((error: unknown) => {
    if (error instanceof PrivateAddressError || isIP(host) !== 0) throw error;
    return null;
  });
  return pin === null || isPublicAddress(pin.address) ? host : pin;
}

function requireWebAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new EgressError('not a web address');
  if (url.username !== '' || url.password !== '') throw new EgressError('holds credentials');
  return url;
}
/** Returns the host of a URL, or the text itself where it is a host; an IPv6 address without its brackets. */
const hostOf = (place: URL | string): string => {
  const url = typeof place === 'string' ? URL.parse(place) : place;
  return (url?.host ? url.hostname : String(place)).replace(/^\[|\]$/g, '');
};

export const egressGet = (text: string, options: EgressOptions): Promise<EgressAnswer> => egressRequest(text, options);

export interface EgressStreamOptions extends Omit<EgressOptions, 'timeoutMs'> {
  /** For resolving the name, connecting, and the first byte of the answer. */
  firstByteTimeoutMs: number;
  /** For all of it. */
  timeoutMs: number;
  /** Ends the request at the other side. */
  signal?: AbortSignal | undefined;
}

/**
 * As `egressRequest`, for an answer that is read while it arrives. An answer over `maxBytes` ends with an error. Throws
 * `EgressError`; reading the body of an ended request throws too.
 */
export async function egressStream(text: string, options: EgressStreamOptions): Promise<Response> {
  const url = requireWebAddress(text);
  const first = new AbortController();
  const timer = setTimeout(() => first.abort(), timerMs(options.firstByteTimeoutMs));
  const signal = AbortSignal.any([
    first.signal,
    AbortSignal.timeout(timerMs(options.timeoutMs)),
    ...(options.signal === undefined ? [] : [options.signal]),
  ]);
  try {
    const pin = await pinAddress(hostOf(url), options, signal);
    const answer = await open(url, pin, options, signal);
    const { statusCode = 502 } = answer;
    // A body that is no longer wanted is not an error of this process.
    answer.on('error', () => undefined);
    const body = Readable.toWeb(answer) as NodeReadableStream<Uint8Array>;
    const headers = new Headers();
    for (const name of ['content-type', 'retry-after']) {
      const value = answer.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const bounded = body.pipeThrough(atMost(options.maxBytes));
    return new Response(bounded, { status: isEmpty(statusCode) ? 502 : statusCode, headers });
  } finally {
    clearTimeout(timer);
  }
}

/** Statuses that a Response with a body must not have, and redirects, which are not followed. */
const isEmpty = (status: number): boolean => status < 200 || status === 204 || (status >= 300 && status < 400);

/** Passes on a body, and fails where it exceeds `maxBytes`. */
export function atMost(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > maxBytes) controller.error(new EgressError('the answer is too large'));
      else controller.enqueue(chunk);
    },
  });
}

/** Resolves a name to the one address a connection may go to. Throws `EgressError` where it must not go. */
export async function pinAddress(
  host: string,
  options: Pick<EgressOptions, 'allowPrivate' | 'allowedRanges' | 'resolve'>,
  signal: AbortSignal,
): Promise<Pin> {
  const pin = await Promise.race([(options.resolve ?? lookup)(host), refusalOf(signal)]).catch(() => {
    throw new EgressError('the name does not resolve');
  });
  if (
    options.allowPrivate !== true &&
    !isPublicAddress(pin.address) &&
    !isInRanges(pin.address, options.allowedRanges ?? [])
  )
    throw new PrivateAddressError();
  return pin;
}

const LOOKUP_MS = 5000;

/**
 * Refuses a URL or host of a user that leads to a private address which the operator has not opened. Every place that
 * takes one calls it. A name that does not resolve now may do so later, and each connection is checked again. Throws
 * `invalid_parameter` with the field.
 */
export async function requirePublic(field: string, place: string, allowedRanges: readonly string[]): Promise<void> {
  const host = hostOf(place);
  await pinAddress(host, { allowedRanges }, AbortSignal.timeout(LOOKUP_MS)).catch((error: unknown) => {
    if (!(error instanceof EgressError)) throw error;
    if (error instanceof PrivateAddressError)
      throw new CodedError('invalid_parameter', `${field}: ${host} leads to a private address`, {
        field,
        remedy: 'Use a public address, or let the operator open the range with PLIMSOLL_ALLOWED_PRIVATE_RANGES.',
      });
  });
}

/** Rejects when the signal aborts: a resolver takes none. */
function refusalOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(new EgressError('no answer in time')), { once: true });
  return promise;
}

async function send(url: URL, way: Pin | Duplex, options: EgressOptions, signal: AbortSignal): Promise<EgressAnswer> {
  const answer = await open(url, way, options, signal);
  // An answer that stops in the middle, or is not over in time, is none.
  return collect(answer, options).catch((error: unknown) => {
    throw error instanceof EgressError ? error : new EgressError('no answer', true);
  });
}

type Sent = Pick<EgressOptions, 'method' | 'body' | 'headers'>;

/** Returns the answer with its head read and its body not. */
function open(url: URL, way: Pin | Duplex, options: Sent, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const length = options.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(options.body)) };
  const settings: RequestOptions = {
    method: options.method ?? 'GET',
    headers: { 'user-agent': 'plimsoll', ...length, ...options.headers },
    signal,
    ...(way instanceof Duplex
      ? // Node takes the default port from the agent, which is absent here; the header Host depends on it.
        { createConnection: () => way, defaultPort: url.protocol === 'https:' ? 443 : 80 }
      : { lookup: (_host, _options, done) => done(null, [way]), agent: false }),
  };
  const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, settings, resolve);
  sent.on('error', () => reject(new EgressError('no answer', sent.writableFinished))).end(options.body);
  return promise;
}

async function collect(
  answer: IncomingMessage,
  { maxBytes, isCutAllowed = false }: EgressOptions,
): Promise<EgressAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= maxBytes) continue;
    answer.destroy();
    if (isCutAllowed) break;
    throw new EgressError('the answer is too large', true);
  }
  return {
    status: answer.statusCode ?? 0,
    contentType: answer.headers['content-type'] ?? '',
    retryAfterSeconds: waitOf(answer.headers['retry-after'], answer.headers.date),
    body: Buffer.concat(chunks, Math.min(size, maxBytes)),
  };
}

/** Returns the seconds of a Retry-After, which may be a date by the clock of the other side. Null: none, or unreadable. */
function waitOf(text: string | undefined, date: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,6}(\.\d+)?$/.test(text)) return Number(text);
  const seconds = (Date.parse(text) - Date.parse(date ?? '')) / 1000;
  return /^[A-Z]/.test(text) && Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

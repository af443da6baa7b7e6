import { recordAnswer, suspectConnection } from '../state/connection.ts';
import { takeFirstAnswer } from '../state/first-answers.ts';
import { sessionToken } from '../state/session-token.ts';

/** A call that did not succeed. `status` 0: no answer came at all. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  readonly status: number;
  readonly code: string | null;
  readonly field: string | null;
  readonly remedy: string | null;

  constructor(message: string, status: number, fields: { code?: unknown; field?: unknown; remedy?: unknown } = {}) {
    super(message);
    this.status = status;
    this.code = textOrNull(fields.code);
    this.field = textOrNull(fields.field);
    this.remedy = textOrNull(fields.remedy);
  }
}

export type QueryValue = string | number | boolean | null | undefined;
export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  /** Null, undefined and empty values are left out. */
  query?: Record<string, QueryValue>;
  signal?: AbortSignal;
}

const SERVER_ERROR = 500;

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** `/path?a=1`, parameters in the order given. */
export function address(path: string, query: Record<string, QueryValue> = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** The text a person reads: the answer's detail, else its message, else what is known. */
export function failureOf(status: number, body: unknown): RequestFailed {
  if (!isRecord(body)) return new RequestFailed('Unknown error', status);
  const text = [body['detail'], body['message']].find((part) => typeof part === 'string' && part !== '');
  return new RequestFailed(typeof text === 'string' ? text : 'Request failed', status, body);
}

function headersOf(options: RequestOptions, accept: string): Headers {
  const headers = new Headers({ accept });
  const token = sessionToken.get();
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  return headers;
}

async function send(path: string, options: RequestOptions, accept = 'application/json'): Promise<Response> {
  const headers = headersOf(options, accept);
  const init: RequestInit = { method: options.method ?? 'GET', headers, credentials: 'include' };
  if (options.body !== undefined) init.body = JSON.stringify(options.body);
  if (options.signal) init.signal = options.signal;
  const url = address(path, options.query);
  // One that failed is sent again, as any other call.
  const sent = init.method === 'GET' ? takeFirstAnswer(url, sessionToken.get()) : undefined;
  const first = sent && (await sent);
  if (first !== undefined) return first;
  try {
    return await fetch(url, init);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    suspectConnection();
    throw new RequestFailed('Cannot reach the server', 0);
  }
}

/**
 * Calls the product's own API and gives what is under `data`.
 * Throws {@link RequestFailed} for every answer that is not a success.
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  const body: unknown = await response.json().catch(() => null);
  // A refusal of the API is an answer, too; a proxy's page or a failing API is not.
  if (isRecord(body) && response.status < SERVER_ERROR) recordAnswer(Date.now());
  else suspectConnection();
  if (!response.ok) throw failureOf(response.status, body);
  if (!isRecord(body) || !('data' in body)) throw failureOf(response.status, body);
  return body['data'] as T;
}

/** One event of a stream: its name, and its data as JSON. */
export interface StreamEvent {
  name: string;
  data: unknown;
}

/** Calls the API and gives its answer event by event. Throws {@link RequestFailed} when the call is refused. */
export async function* stream(path: string, options: RequestOptions): AsyncGenerator<StreamEvent> {
  const response = await send(path, options, 'text/event-stream');
  if (!response.ok || response.body === null) {
    const body: unknown = await response.json().catch(() => null);
    throw failureOf(response.status, body);
  }
  recordAnswer(Date.now());
  let text = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const event = eventOf(text.slice(0, end));
      text = text.slice(end + 2);
      if (event !== null) yield event;
    }
  }
}

/** Null for a comment, which keeps the connection open. */
function eventOf(block: string): StreamEvent | null {
  const field = (name: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trimStart())
      .join('\n');
  const data = field('data');
  return data === '' ? null : { name: field('event'), data: JSON.parse(data) as unknown };
}

/** Returns what a person reads of a failure: its message and, if the API gave one, the remedy. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return 'Unknown error';
  const remedy = error instanceof RequestFailed ? error.remedy : null;
  return remedy === null ? error.message : `${error.message.replace(/\.$/, '')}. ${remedy}`;
}

/** Returns the text of a failure beside the field that it names: without the name that the API gives the field. */
export function fieldFailureText(error: RequestFailed): string {
  const [text, prefix] = [failureText(error), `${error.field ?? ''}: `];
  if (!text.startsWith(prefix)) return text;
  const [first = '', ...rest] = text.slice(prefix.length);
  return `${first.toUpperCase()}${rest.join('')}`;
}

/** 401 and 403 of the profile mean "not signed in"; no other failure does. */
export const isSignedOutStatus = (status: number) => status === 401 || status === 403;

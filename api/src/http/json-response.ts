import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptsEncoding } from './accepts-encoding.ts';
import type { Http } from './define-route.ts';

const toGzip = promisify(gzip);
/** Below this, what is saved on the wire is less than a packet. */
const WORTH_CHARACTERS = 1024;
/** 260 kB of figures take 2 to 3 ms of another thread at level 1, and twice that at 6 for a tenth less. */
const LEVEL = 1;

/**
 * Responses that hold figures, which grow with the fleet. Responses about accounts, sessions and tokens are never
 * compressed: beside text that a stranger chose, the length of a compressed secret reveals it (BREACH).
 */
const HOLDS_FIGURES = /^\/api\/(?:data|servers|kubernetes)\//;

const LOOPBACK = new Set(['127.0.0.1', '::1']);

/** The browser runs on this very machine: nothing is saved, and the time is lost. */
const isLocal = (http: Http): boolean =>
  LOOPBACK.has(http.get('clientAddress')) && http.req.header('x-forwarded-for') === undefined;

/** A body as JSON, compressed once however many callers take it so. */
export class JsonText {
  readonly text: string;
  #zipped: Promise<Uint8Array<ArrayBuffer>> | undefined;

  constructor(body: unknown) {
    this.text = JSON.stringify(body);
  }

  zipped(): Promise<Uint8Array<ArrayBuffer>> {
    this.#zipped ??= toGzip(this.text, { level: LEVEL }).then((bytes) => new Uint8Array(bytes));
    return this.#zipped;
  }
}

/** A JSON answer of the call declared as `path`, compressed where that pays. */
export async function jsonResponse(http: Http, path: string, json: JsonText): Promise<Response> {
  const { text } = json;
  http.header('Content-Type', 'application/json');
  if (http.req.method !== 'GET' || !HOLDS_FIGURES.test(path)) return http.body(text);
  http.header('Vary', 'Accept-Encoding');
  if (text.length < WORTH_CHARACTERS || isLocal(http) || !acceptsEncoding(http.req.header('accept-encoding'), 'gzip'))
    return http.body(text);
  http.header('Content-Encoding', 'gzip');
  return http.body(await json.zipped());
}

import { isUtf8 } from 'node:buffer';
import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib';
import { TextDecoder } from 'node:util';
import { CHECK_LIMITS } from '../rules/check-limits.ts';
import type { HttpProbe } from '../wire/check-probes.ts';
import { certificateOf, certificateProblem } from './certificate.ts';
import { closeAll, failureOf, type Opened, openSocket, startTls } from './connect.ts';
import { isFound } from './expected-text.ts';
import { type AnswerBody, type AnswerHead, readBody, readHead } from './http-answer.ts';
import { beforeEnd, ProbeFailure, type ProbeRun } from './probe-run.ts';

interface Request {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

/** Sends the request, follows redirects where the check does, and judges the last answer. Throws `ProbeFailure`. */
export async function probeHttp(run: ProbeRun, probe: HttpProbe, opened: Opened): Promise<void> {
  let request: Request = { url: webAddress(probe.url), method: probe.method, headers: probe.headers, body: probe.body };
  for (let hop = 0; ; hop += 1) {
    const { head, body } = await exchange(run, probe, request, opened);
    run.seen.status = head.status;
    run.seen.size_bytes = body.bytes.length;
    const to = probe.follow_redirects ? redirectOf(head, request) : null;
    if (to === null) {
      judge(run, probe, head, body);
      return;
    }
    if (hop === CHECK_LIMITS.redirects) throw new ProbeFailure('too_many_redirects', true);
    request = to;
    await closeAll(opened);
  }
}

function webAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new ProbeFailure('redirect_invalid');
  if (url.username !== '' || url.password !== '') throw new ProbeFailure('redirect_invalid');
  return url;
}

/** A head is read byte by byte. Servers that write an address without escapes write it in UTF-8. */
function asText(bytewise: string): string {
  const bytes = Buffer.from(bytewise, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : bytewise;
}

const REDIRECTS = [301, 302, 303, 307, 308];
/** Returns the request that an answer leads to; null: it leads nowhere. */
function redirectOf({ status, headers }: AnswerHead, from: Request): Request | null {
  const location = headers.get('location');
  if (!REDIRECTS.includes(status) || location === undefined) return null;
  const url = webAddress(asText(location), from.url);
  // Headers may hold secrets, so a redirect to another origin drops them.
  const kept = url.origin === from.url.origin ? from.headers : {};
  // As browsers do it: 301 and 302 change POST alone.
  const becomesGet = status === 303 ? from.method !== 'HEAD' : status < 303 && from.method === 'POST';
  if (becomesGet) return { url, method: 'GET', headers: kept, body: null };
  return { url, method: from.method, headers: kept, body: url.origin === from.url.origin ? from.body : null };
}

async function exchange(
  run: ProbeRun,
  probe: HttpProbe,
  request: Request,
  opened: Opened,
): Promise<{ head: AnswerHead; body: AnswerBody }> {
  const { url } = request;
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  const plain = await openSocket(run, opened, { host: url.hostname, port, ipVersion: probe.ip_version });
  const socket = isSecure ? await startTls(run, opened, plain, url.hostname) : plain;
  if (socket !== plain && 'getPeerCertificate' in socket) {
    const now = Date.now();
    run.seen.certificate = certificateOf(socket, now);
    const problem = probe.ignore_certificate ? null : certificateProblem(socket, url.hostname, now);
    if (problem !== null) throw new ProbeFailure(problem);
  }
  run.enter('wait');
  const chunks = (socket as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  try {
    socket.write(requestText(request));
    const first = await beforeEnd(run.signal, chunks.next());
    if (first.done === true) throw new ProbeFailure('reset');
    const { head, rest } = await beforeEnd(run.signal, readHead(chunks, first.value));
    run.enter('transfer');
    return { head, body: await beforeEnd(run.signal, readBody(chunks, rest, head, request.method)) };
  } catch (error) {
    throw failureOf(error, run.signal, 'answer_invalid');
  }
}

/** Headers that the exchange itself decides. */
const OURS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'expect',
  'upgrade',
]);
/** Methods that need a Content-Length, also without a body: some servers answer 411 if it is missing. */
const SENDS_BODY = new Set(['POST', 'PUT', 'PATCH']);
/** A name as RFC 9110 has it: another one could begin a second request. */
const isToken = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

function requestText({ url, method, headers, body }: Request): Buffer {
  const given = Object.entries(headers).filter(([name]) => isToken(name) && !OURS.has(name.toLowerCase()));
  const has = (name: string): boolean => given.some(([key]) => key.toLowerCase() === name);
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    'Connection: close',
    'Accept-Encoding: identity',
    ...(has('user-agent') ? [] : ['User-Agent: plimsoll-check']),
    ...(has('accept') ? [] : ['Accept: */*']),
    ...given.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n\0]/g, ' ')}`),
    ...(body === null && !SENDS_BODY.has(method) ? [] : [`Content-Length: ${String(Buffer.byteLength(body ?? ''))}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'utf8');
}

function judge(run: ProbeRun, probe: HttpProbe, head: AnswerHead, body: AnswerBody): void {
  const isGood = probe.statuses.some(([from, to]) => head.status >= from && head.status <= to);
  const { expect } = probe;
  if (expect !== null) run.seen.text_found = isFound(textOf(head, body), expect);
  if (!isGood) throw new ProbeFailure('status_unexpected', true);
  if (expect === null || run.seen.text_found === expect.isPresent) return;
  if (!expect.isPresent) throw new ProbeFailure('text_present', true);
  throw new ProbeFailure(expect.kind === 'json' ? 'value_differs' : 'text_missing', true);
}

/** RFC 9110 has deflate in a frame of zlib. Some servers send it without one, and browsers read both. */
function inflateEither(bytes: Buffer, options: ZlibOptions): Buffer {
  try {
    return inflateSync(bytes, options);
  } catch {
    return inflateRawSync(bytes, options);
  }
}
const INFLATE = new Map<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateEither],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
]);

/** Some servers compress although nobody accepts it. What inflates to more than the limit has no text. */
function textOf({ headers }: AnswerHead, { bytes, isCut }: AnswerBody): string {
  const charset = charsetOf(headers.get('content-type'));
  const inflate = INFLATE.get(headers.get('content-encoding')?.toLowerCase() ?? '');
  if (inflate === undefined) return charset.decode(bytes);
  if (isCut) return '';
  try {
    return charset.decode(inflate(bytes, { maxOutputLength: CHECK_LIMITS.bodyBytes }));
  } catch {
    return '';
  }
}

/** Returns the decoder of the charset that the server names; of UTF-8, if it names none that is known. */
function charsetOf(contentType = ''): TextDecoder {
  const [, label = 'utf-8'] = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

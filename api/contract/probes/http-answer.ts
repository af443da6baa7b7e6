import { CHECK_LIMITS } from '../rules/check-limits.ts';
import { ProbeFailure } from './probe-run.ts';

/** Reads an answer of HTTP/1.1 within bounds. Ours, because each phase is measured alike in Node and in Bun. */

export interface AnswerHead {
  status: number;
  /** Names in lower case; of a repeated one the first. */
  headers: ReadonlyMap<string, string>;
}
export type Chunks = AsyncIterator<Buffer, undefined>;

const next = async (chunks: Chunks): Promise<Buffer | null> => {
  const { value, done } = await chunks.next();
  return done === true ? null : value;
};

const END = /\r?\n\r?\n/;
/** Returns the head and what came after it. Interim answers (1xx) are skipped. `first`: the bytes that are there. */
export async function readHead(chunks: Chunks, first: Buffer): Promise<{ head: AnswerHead; rest: Buffer }> {
  let bytes = first;
  for (;;) {
    const text = bytes.toString('latin1', 0, Math.min(bytes.length, CHECK_LIMITS.headBytes));
    const end = END.exec(text);
    if (end !== null) {
      const head = parseHead(text.slice(0, end.index));
      const rest = bytes.subarray(end.index + end[0].length);
      if (head.status >= 200 || head.status === 101) return { head, rest };
      bytes = rest;
      continue;
    }
    if (bytes.length >= CHECK_LIMITS.headBytes) throw new ProbeFailure('answer_invalid');
    const more = await next(chunks);
    if (more === null) throw new ProbeFailure(bytes.length === 0 ? 'reset' : 'answer_invalid');
    bytes = Buffer.concat([bytes, more]);
  }
}

/** Parses the lines above the empty one. Throws `answer_invalid`. */
export function parseHead(text: string): AnswerHead {
  const [first = '', ...lines] = text.split(/\r?\n/);
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1];
  if (status === undefined) throw new ProbeFailure('answer_invalid');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(':');
    const name = line.slice(0, Math.max(0, at)).toLowerCase();
    if (name !== '' && !headers.has(name)) headers.set(name, line.slice(at + 1).trim());
  }
  return { status: Number(status), headers };
}

export interface AnswerBody {
  /** At most `CHECK_LIMITS.bodyBytes`. */
  bytes: Buffer;
  /** More was there, and was not read. */
  isCut: boolean;
}

/** Reads the body to its end or to the limit. Throws `answer_cut_off` where the other side stops in the middle. */
export async function readBody(chunks: Chunks, rest: Buffer, head: AnswerHead, method: string): Promise<AnswerBody> {
  if (method === 'HEAD' || head.status === 204 || head.status === 304 || head.status === 101)
    return { bytes: Buffer.alloc(0), isCut: false };
  if (/\bchunked\b/i.test(head.headers.get('transfer-encoding') ?? '')) return readChunked(chunks, rest);
  const announced = head.headers.get('content-length');
  if (announced !== undefined && !/^\d{1,15}$/.test(announced)) throw new ProbeFailure('answer_invalid');
  const whole = announced === undefined ? Infinity : Number(announced);
  const most = Math.min(whole, CHECK_LIMITS.bodyBytes);
  const parts: Buffer[] = [rest];
  let size = rest.length;
  while (size < most) {
    const more = await next(chunks);
    if (more === null) {
      if (whole !== Infinity) throw new ProbeFailure('answer_cut_off');
      break;
    }
    parts.push(more);
    size += more.length;
  }
  const bytes = Buffer.concat(parts, size).subarray(0, most);
  return { bytes, isCut: whole === Infinity ? size >= most : whole > CHECK_LIMITS.bodyBytes };
}

/** Longest line that announces a chunk, extensions included. */
const SIZE_LINE = 1024;

async function readChunked(chunks: Chunks, rest: Buffer): Promise<AnswerBody> {
  const parts: Buffer[] = [];
  let size = 0;
  let waiting = rest;
  const more = async (): Promise<void> => {
    const chunk = await next(chunks);
    if (chunk === null) throw new ProbeFailure('answer_cut_off');
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
  };
  for (;;) {
    let end = waiting.indexOf('\n');
    while (end < 0) {
      if (waiting.length > SIZE_LINE) throw new ProbeFailure('answer_invalid');
      await more();
      end = waiting.indexOf('\n');
    }
    const length = /^([\da-f]{1,8})\s*(?:;.*)?\r?$/i.exec(waiting.toString('latin1', 0, end))?.[1];
    if (length === undefined) throw new ProbeFailure('answer_invalid');
    waiting = waiting.subarray(end + 1);
    let left = Number.parseInt(length, 16);
    if (left === 0) return { bytes: Buffer.concat(parts, size), isCut: false };
    while (left > 0) {
      if (waiting.length === 0) await more();
      const part = waiting.subarray(0, Math.min(left, CHECK_LIMITS.bodyBytes - size));
      parts.push(part);
      size += part.length;
      left -= part.length;
      waiting = waiting.subarray(part.length);
      if (size >= CHECK_LIMITS.bodyBytes) return { bytes: Buffer.concat(parts, size), isCut: true };
    }
    // The line end after the chunk.
    while (waiting.length < 2) await more();
    waiting = waiting.subarray(waiting[0] === 10 ? 1 : 2);
  }
}

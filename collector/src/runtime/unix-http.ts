import { timerMs } from '@plimsoll/contract/rules/timer';
import { readCapped } from './gzip.ts';

interface UnixAnswer {
  status: number;
  text: string;
}
interface UnixLimits {
  /** Milliseconds from the connection to the last byte. */
  timeoutMs: number;
  /** Most bytes of the answer's body. */
  bytes: number;
}
/** Sends one GET request to a program that serves HTTP on a Unix socket. Throws an error that gives the reason. */
export type UnixRequest = (socket: string, path: string, limits: UnixLimits) => Promise<UnixAnswer>;

/** An option that only Bun's fetch has. */
interface BunRequest extends RequestInit {
  unix: string;
}

const HEADERS = { accept: 'application/json' };

/** The shipped program is built with Bun, whose fetch takes the path of a socket; Node needs a module for it. */
export const unixRequest: UnixRequest = async (socket, path, limits) => {
  const signal = AbortSignal.timeout(timerMs(limits.timeoutMs));
  try {
    return await ('Bun' in globalThis ? byBun : byNode)(socket, path, limits.bytes, signal);
  } catch (error) {
    throw new Error(`${socket}: ${reasonOf(error, signal, limits)}`, { cause: error });
  }
};

async function byBun(socket: string, path: string, bytes: number, signal: AbortSignal): Promise<UnixAnswer> {
  const init: BunRequest = { unix: socket, headers: HEADERS, redirect: 'manual', signal };
  const response = await fetch(`http://localhost${path}`, init);
  const body = response.body ? await readCapped(response.body, bytes) : new Uint8Array();
  return { status: response.status, text: new TextDecoder().decode(body) };
}

async function byNode(socket: string, path: string, bytes: number, signal: AbortSignal): Promise<UnixAnswer> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: socket, path, headers: HEADERS, agent: false, signal }, (response) => {
      const parts: Buffer[] = [];
      let length = 0;
      response.on('data', (part: Buffer) => {
        length += part.length;
        if (length > bytes) response.destroy(new Error(`more than ${bytes} bytes`));
        else parts.push(part);
      });
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Never the text of a foreign error: it may hold what the other side sent. */
function reasonOf(error: unknown, signal: AbortSignal, { timeoutMs }: UnixLimits): string {
  if (signal.aborted) return `no answer within ${timeoutMs} ms`;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'EACCES' || code === 'EPERM') return 'access denied; install with --with-containers';
  if (code === 'ENOENT' || code === 'FailedToOpenSocket') return 'not there, or access denied';
  if (typeof message === 'string' && message.startsWith('more than ')) return `an answer of ${message}`;
  return typeof code === 'string' ? code : 'no HTTP answer';
}

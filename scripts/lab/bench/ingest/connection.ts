import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface ReadyRequest {
  seq: number;
  /** Head and body as they go onto the wire. */
  bytes: Buffer;
}

/** A request as a collector sends it, made before the clock starts. */
export const readyRequest = (port: number, token: string, seq: number, gzip: Buffer): ReadyRequest => {
  const head = [
    'POST /api/agent/v1/reports HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Encoding: gzip',
    `Content-Length: ${gzip.length}`,
  ];
  return { seq, bytes: Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), gzip]) };
};

interface Answer {
  ack: { upto: number };
  rejected: unknown[];
}

/** The body of a whole answer, null while some of it is missing. */
const bodyIn = (text: string): string | null => {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const length = /\r\nContent-Length: (\d+)\r\n/i.exec(text.slice(0, head + 2))?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${text.slice(0, head)}`);
  const body = text.slice(head + 4);
  return body.length < Number(length) ? null : body;
};

/** One kept-alive HTTP/1.1 connection, one request at a time: a client library would cost more than what it measures. */
export class Connection {
  readonly #socket: Socket;
  #received = '';
  #waiting: PromiseWithResolvers<string> | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: string) => this.#take(text));
    socket.on('close', () => this.#waiting?.reject(new Error('the connection was closed before the answer')));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Resolves once the report is acknowledged as stored; anything else is an error. */
  async send({ seq, bytes }: ReadyRequest): Promise<void> {
    this.#waiting = Promise.withResolvers();
    this.#socket.write(bytes);
    const body = await this.#waiting.promise;
    const { ack, rejected } = JSON.parse(body) as Answer;
    if (ack.upto !== seq || rejected.length > 0) throw new Error(`report ${seq} was answered with ${body}`);
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const body = bodyIn(this.#received);
    if (body === null) return;
    const answer = this.#received;
    this.#received = '';
    if (answer.startsWith('HTTP/1.1 200 ')) this.#waiting?.resolve(body);
    else this.#waiting?.reject(new Error(`answered ${answer.slice(0, 300)}`));
  }
}

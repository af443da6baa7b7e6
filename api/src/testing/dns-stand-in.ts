import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';

export interface DnsStandIn {
  /** Asks the server, as `lookup` of node:dns asks that of the machine. */
  resolve(host: string): Promise<{ address: string; family: number }>;
  /** Questions answered. */
  asked(): number;
  close(): void;
}

const HEADER_BYTES = 12;
/** Response, recursion desired and available, no error; one question, one answer (RFC 1035, 4.1.1). */
const ANSWERED = Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
/** The name of the question, type A, class IN, a lifetime of 0 s, 4 bytes. */
const RECORD = Buffer.from([0xc0, HEADER_BYTES, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);

/** A name server on loopback that gives the addresses of `answers` one after the other, and then the last one for ever. */
export async function startDns(answers: readonly string[]): Promise<DnsStandIn> {
  let asked = 0;
  const socket = createSocket('udp4', (message, { address, port }) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? '';
    asked += 1;
    const endOfName = message.indexOf(0, HEADER_BYTES) + 1;
    const question = message.subarray(HEADER_BYTES, endOfName + 4);
    const bytes = Buffer.from(answer.split('.').map(Number));
    socket.send(Buffer.concat([message.subarray(0, 2), ANSWERED, question, RECORD, bytes]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolve: async (host) => ({ address: (await resolver.resolve4(host))[0] ?? '', family: 4 }),
    asked: () => asked,
    close: () => socket.close(),
  };
}

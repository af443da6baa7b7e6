import { connect, type Socket } from 'node:net';
import { startApi } from './api-process.ts';
import type { Fault } from './fault.ts';
import { describeProbe, startProbe } from './probe.ts';

const SOCKETS = 5000;
const OPENED_AT_ONCE = 100;
/** A slow client is closed within this time. */
const CLOSED_WITHIN_MS = 20_000;
/** The longest look at them. */
const WAIT_MS = 30_000;
const LIMIT_MS = 250;

const HEAD = 'POST /api/agent/v1/reports HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
/** One that never ends its headers, one that never ends its body, one that sends nothing. */
const BEGINNINGS = [HEAD, `${HEAD}Content-Length: 1000\r\n\r\n{`, ''];

/** Holds thousands of sockets that send a byte now and then, and measures ordinary requests meanwhile. */
export const slow: Fault = {
  name: 'slow-sockets',
  does: '5,000 sockets that never end their headers, never end their body, or send nothing; a byte each second',
  minutes: 1,
  run: async ({ isQuick, log }) => {
    const api = await startApi();
    const sockets: Socket[] = [];
    try {
      const heldMs: number[] = [];
      const open = (index: number): Promise<void> =>
        new Promise((resolve) => {
          const socket = connect(api.port, '127.0.0.1');
          sockets.push(socket);
          const begun = performance.now();
          socket.on('error', () => undefined);
          socket.on('close', () => heldMs.push(performance.now() - begun));
          socket.once('connect', () => {
            socket.write(BEGINNINGS[index % BEGINNINGS.length] ?? '');
            resolve();
          });
          socket.once('close', resolve);
          socket.resume();
        });
      const probe = startProbe(`${api.url}/healthz`);
      const count = isQuick ? 500 : SOCKETS;
      for (let index = 0; index < count; index += OPENED_AT_ONCE)
        await Promise.all(Array.from({ length: OPENED_AT_ONCE }, (_, offset) => open(index + offset)));
      log(`${String(count)} sockets are open`);
      const trickle = setInterval(() => {
        for (const [index, socket] of sockets.entries())
          if (!socket.destroyed && index % BEGINNINGS.length !== 2) socket.write('a');
      }, 1000);
      const deadline = performance.now() + WAIT_MS;
      while (heldMs.length < count && performance.now() < deadline) await new Promise((next) => setTimeout(next, 100));
      clearInterval(trickle);
      const health = await probe.stop();
      const longest = Math.max(0, ...heldMs);
      return {
        isHeld:
          heldMs.length === count && longest <= CLOSED_WITHIN_MS && health.p99 <= LIMIT_MS && health.failures === 0,
        figures: `${String(heldMs.length)} of ${String(count)} closed, the last after ${(longest / 1000).toFixed(1)} s; /healthz meanwhile: ${describeProbe(health)}`,
      };
    } finally {
      for (const socket of sockets) socket.destroy();
      await api.remove();
    }
  },
};

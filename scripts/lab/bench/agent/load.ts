import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';

/** Load of a watched host. */
export interface Load {
  name: string;
  /** The host is brought up to so many processes. */
  processes: number;
  /** Ends of TCP connections added. */
  sockets: number;
}
export const LOADS: readonly Load[] = [
  { name: '200 processes', processes: 200, sockets: 0 },
  { name: '2,000 processes', processes: 2000, sockets: 0 },
  { name: '5,000 sockets', processes: 0, sockets: 5000 },
];

export const processCount = (): number => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length;

/** Processes that sleep, and one that holds connections to itself. Gives what ends them. */
export async function makeLoad({ processes, sockets }: Load): Promise<() => Promise<void>> {
  const children: ChildProcess[] = [];
  const missing = processes - processCount();
  if (missing > 0) {
    const script = `trap 'kill $(jobs -p); exit' TERM; for i in $(seq ${missing}); do sleep 1000 & done; echo ready; wait`;
    children.push(await ready(spawn('/bin/bash', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })));
  }
  if (sockets > 0) {
    const script = `const net = require('node:net'); let open = 0;
      const server = net.createServer(() => (open += 1) === ${sockets / 2} && console.log('ready'));
      server.listen(0, '127.0.0.1', 5000, () => {
        for (let i = 0; i < ${sockets / 2}; i += 1) net.connect(server.address().port, '127.0.0.1');
      });`;
    children.push(await ready(spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })));
  }
  const stop = (): void => children.forEach((child) => child.kill('SIGTERM'));
  process.once('exit', stop);
  return async () => {
    process.off('exit', stop);
    await Promise.all(children.map(ended));
  };
}

const ready = (child: ChildProcess): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve(child));
    child.once('exit', (status) => reject(new Error(`the load ended with ${String(status)}`)));
  });

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    if (!child.kill('SIGTERM')) resolve();
  });

import { copyFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { Machine } from './machine.ts';

/** A process of a name nobody else has, which keeps one core busy and holds sockets to this side. */
export interface Burner {
  name: string;
  pid: number;
  port: number;
  /** Its processor time so far by its own /proc/PID/stat: [epoch seconds, CPU seconds]. */
  used(): Promise<[number, number]>;
  stop(): Promise<void>;
}

/** USER_HZ of Linux, in which stat counts. */
const TICKS = 100;
const SCRIPT = `
const [host, port, count] = process.argv.slice(-3);
let open = 0;
for (let i = 0; i < Number(count); i++)
  require('node:net').connect(Number(port), host, () => { if (++open === Number(count)) for (;;); });
`;

const listening = (host: string) =>
  new Promise<{ server: Server; port: number }>((resolve) => {
    const server = createServer().listen(0, host, () => {
      const address = server.address();
      resolve({ server, port: address && typeof address === 'object' ? address.port : 0 });
    });
  });

export async function startBurner(machine: Machine, sockets: number): Promise<Burner> {
  const name = `burn${crypto.randomUUID().slice(0, 8)}`;
  const { server, port } = await listening(machine.hostAddress);
  // A copy, no link: the machine's own /tmp may hide where this checkout lies.
  const program = `/var/tmp/${name}`;
  copyFileSync(process.execPath, machine.path(program));
  const words = [`--unit=${name}`, program, '-e', SCRIPT, machine.hostAddress, String(port), String(sockets)];
  await machine.run('systemd-run', '--quiet', ...words);
  const pid = Number(await machine.sh(`systemctl show -p MainPID --value ${name}`));
  return {
    name,
    pid,
    port,
    async used() {
      const words = (await machine.sh(`echo "$(date +%s.%N) $(cat /proc/${String(pid)}/stat)"`)).split(' ');
      return [Number(words[0]), (Number(words[14]) + Number(words[15])) / TICKS];
    },
    async stop() {
      await machine.run('systemctl', 'kill', '--signal=KILL', name);
      await machine.run('systemctl', 'reset-failed', name);
      rmSync(machine.path(program));
      server.close();
    },
  };
}

/**
 * Processor time as reported, divided by what the process's own stat says of the same stretch. `reported`: per cent of
 * one core in the window that ends at a moment (epoch seconds). Of a single second the ticks of stat tell too little.
 */
export function reportedShare(reported: ReadonlyMap<number, number>, watched: readonly [number, number][]): number {
  const moments = [...reported.keys()].filter((at) => usedAt(watched, at) !== null).toSorted((a, b) => a - b);
  const [first = 0, ...ends] = moments;
  if (ends.length < 3) throw new Error(`only ${String(moments.length)} reports of the process were seen`);
  const seconds = ends.map((end, index) => ((reported.get(end) ?? 0) / 100) * (end - (moments[index] ?? end)));
  const own = (usedAt(watched, ends.at(-1) ?? 0) ?? 0) - (usedAt(watched, first) ?? 0);
  return seconds.reduce((sum, one) => sum + one, 0) / own;
}

function usedAt(watched: readonly [number, number][], at: number): number | null {
  const next = watched.findIndex(([time]) => time >= at);
  const [after, before] = [watched[next], watched[next - 1]];
  if (!after || !before) return null;
  return before[1] + ((after[1] - before[1]) * (at - before[0])) / (after[0] - before[0]);
}

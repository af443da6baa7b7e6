import { createHash } from 'node:crypto';
import type { ConnectionPart } from '@plimsoll/contract/wire/connection-part';
import type { ProcessPart } from '@plimsoll/contract/wire/report';

/** Returns the same number from 0 to 1 for the same parts, so every run stores the same lists. */
const noise = (...parts: (string | number)[]): number =>
  createHash('md5').update(parts.join(' ')).digest().readUInt32BE(0) / 2 ** 32;
const hex = (...parts: (string | number)[]): string => createHash('sha256').update(parts.join(' ')).digest('hex');

const COMMANDS = [
  (id: string) => `postgres: 18/main: app shop 10.0.${String(id.charCodeAt(0))}.7(${id.slice(0, 5)}) SELECT`,
  (id: string) =>
    `/usr/lib/jvm/java-21/bin/java -Xms2g -Xmx2g -XX:+UseG1GC -XX:MaxGCPauseMillis=200 -Dlog4j2.formatMsgNoLookups=true -Dcluster.name=${id.slice(0, 12)} -Dpath.home=/usr/share/search -cp /usr/share/search/lib/* org.search.bootstrap.Main -p /run/search.pid`,
  (id: string) =>
    `/usr/bin/containerd-shim-runc-v2 -namespace k8s.io -id ${id} -address /run/containerd/containerd.sock`,
  () => 'nginx: worker process',
  (id: string) => `node /srv/app-${id.slice(0, 4)}/dist/server.js --port=80${id.slice(0, 2)}`,
  (id: string) => `/usr/bin/python3 /opt/jobs/worker.py --queue=${id.slice(0, 8)} --concurrency=4`,
  () => '/usr/sbin/sshd -D',
  () => '',
];

/** Process lifetimes are counted from here, epoch s. */
const EPOCH = 1_790_000_000;
const LIFE_MINUTES = 7;

/**
 * The process list of a minute of one machine, the same in every run: 40 processes. Every fifth is replaced every
 * `lifeMinutes`. All figures change from minute to minute.
 */
export function processListOf(server: number, minute: number, lifeMinutes = LIFE_MINUTES): ProcessPart[] {
  return Array.from({ length: 40 }, (_, index) => {
    const life = index % 5 === 0 ? Math.floor(minute / lifeMinutes) : 0;
    const id = hex(server, index, life);
    const busy = index < 12 ? 40 / (index + 1) : 0.3;
    const bytes = (20 + 400 * noise(server, index)) * 2 ** 20;
    return {
      pid: 1000 + index * 37 + life * 811,
      name: `proc-${String(index)}`,
      command: COMMANDS[index % COMMANDS.length]?.(id) ?? '',
      user: index % 3 === 0 ? 'root' : 'www-data',
      status: noise(server, index, minute, 's') < 0.2 ? 'R' : 'S',
      cpu_percent: Math.round(busy * (0.4 + 1.2 * noise(server, index, minute)) * 10) / 10,
      memory_percent: Math.round(bytes / 2 ** 27) / 10,
      memory_bytes: Math.round(bytes * (1 + 0.02 * noise(server, index, minute, 'm'))),
      threads: 1 + (index % 9),
      started_at: EPOCH + life * lifeMinutes * 60,
    };
  });
}

export const connectionTo = (port: number, importance: number): ConnectionPart => ({
  remote_ip: '203.0.113.0',
  remote_port: port,
  local_port: 443,
  protocol: 'tcp',
  family: 'ipv4',
  state: 'ESTABLISHED',
  pid: -1,
  importance_score: importance,
});

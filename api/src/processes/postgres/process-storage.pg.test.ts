import { createHash } from 'node:crypto';
import type { ProcessPart } from '@plimsoll/contract/wire/report';
import { expect, it } from 'vitest';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Math.floor(Date.now() / HOUR) * HOUR - 3 * HOUR;
const SERVERS = 8;
const HOURS = 2;
const FLEET = 500;
/** The disk that the process lists of such a fleet may take. */
const MB_A_DAY = 150;
/** Header, line pointer, key columns, pointer to the list and index entry of a row. */
const ROW_BYTES = 120;

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

/** A machine of 40 processes: every fifth is replaced every few minutes, and all figures change. */
function listOf(server: number, minute: number): ProcessPart[] {
  return Array.from({ length: 40 }, (_, index) => {
    const life = index % 5 === 0 ? Math.floor(minute / 7) : 0;
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
      started_at: Math.round(START / 1000) - 86_400 + life * 420,
    };
  });
}

describeEachPostgres('the disk of process lists', (db) => {
  it(`is below ${String(MB_A_DAY)} MB a day for ${String(FLEET)} servers`, async () => {
    const accountId = await newAccount(db.storage());
    for (let server = 0; server < SERVERS; server += 1) {
      const agent = await enrolledAgent(db.storage(), accountId);
      for (let minute = 0; minute < HOURS * 60; minute += 1) {
        const processes = listOf(server, minute);
        const item = itemOf(minute + 1, START + minute * MINUTE, { processes, window_seconds: 60 });
        await db.storage().reports.accept(batchOf(agent, [item]));
      }
    }
    await db.storage().processMinutes.pack(START + (HOURS + 1) * HOUR);
    /** Bytes of the rows as stored, with their overhead. */
    const stored = async (table: string, column: string, where: string) => {
      const [row] = await db.sql<{ rows: number; bytes: number }>(
        `SELECT count(*)::int AS rows, sum(pg_column_size(${column}) + ${String(ROW_BYTES)})::int AS bytes
           FROM ${table} WHERE ${where}`,
      );
      return row ?? { rows: 0, bytes: 0 };
    };
    const blocks = await stored('process_block', 'packed', 'true');
    const quarters = await stored('server_list_history', 'entries', "kind = 'processes'");
    expect([blocks.rows, quarters.rows]).toEqual([SERVERS * HOURS, SERVERS * HOURS * 4]);
    const aDay = ({ bytes }: { bytes: number }) => ((bytes / SERVERS / HOURS) * 24 * FLEET) / 2 ** 20;
    expect(aDay(blocks) + aDay(quarters)).toBeLessThan(MB_A_DAY);
  });
});

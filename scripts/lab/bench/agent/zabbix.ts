import { connect } from 'node:net';

/** Items of Zabbix's template "Linux by Zabbix agent" for a host with one disk, one file system and one interface. */
export const ZABBIX_ITEMS = [
  'agent.ping',
  'system.cpu.util[,user]',
  'system.cpu.util[,system]',
  'system.cpu.util[,iowait]',
  'system.cpu.util[,steal]',
  'system.cpu.util[,idle]',
  'system.cpu.load[all,avg1]',
  'system.cpu.load[all,avg5]',
  'system.cpu.load[all,avg15]',
  'system.cpu.switches',
  'system.cpu.intr',
  'system.cpu.num',
  'vm.memory.size[available]',
  'vm.memory.size[pavailable]',
  'vm.memory.size[total]',
  'system.swap.size[,free]',
  'system.swap.size[,pfree]',
  'system.swap.size[,total]',
  'vfs.fs.size[/,total]',
  'vfs.fs.size[/,used]',
  'vfs.fs.size[/,pused]',
  'vfs.fs.inode[/,pfree]',
  'vfs.file.contents[/proc/diskstats]',
  'net.if.in[lo]',
  'net.if.out[lo]',
  'net.if.in[lo,errors]',
  'net.if.out[lo,errors]',
  'net.if.in[lo,dropped]',
  'net.if.out[lo,dropped]',
  'proc.num[]',
  'proc.num[,,run]',
  'system.uptime',
  'system.localtime',
  'system.users.num',
] as const;

/** The header of a Zabbix message: four letters, a flag, and two little-endian lengths. The second length is 0. */
const HEADER = { magic: 'ZBXD', flag: 1, bytes: 13 } as const;

function messageOf(text: string): Buffer {
  const head = Buffer.alloc(HEADER.bytes);
  head.write(HEADER.magic);
  head.writeUInt8(HEADER.flag, HEADER.magic.length);
  head.writeUInt32LE(Buffer.byteLength(text), HEADER.magic.length + 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

const ask = (port: number, item: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(messageOf(item)));
    socket.on('data', (part) => parts.push(part));
    socket.once('error', reject);
    socket.once('close', () => {
      const answer = Buffer.concat(parts).subarray(HEADER.bytes).toString();
      if (answer.length === 0 || answer.startsWith('ZBX_NOTSUPPORTED'))
        reject(new Error(`zabbix-agent2 answered ${item} with "${answer.replace('\0', ': ')}"`));
      else resolve(answer);
    });
  });

/** Asks an agent for every item, each on a connection of its own, as a server with passive checks does. */
export async function askZabbix(port: number): Promise<void> {
  await Promise.all(ZABBIX_ITEMS.map((item) => ask(port, item)));
}

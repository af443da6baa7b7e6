import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A machine as files below a folder. */
type Write = (path: string, text: string) => void;
type Link = (path: string, target: string) => void;

const GIB = 2 ** 30;
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Files that every Linux machine has, with `mounts` after the root filesystem. */
function common(write: Write, mounts: readonly string[]): void {
  write('proc/sys/kernel/hostname', 'wide\n');
  write('proc/sys/kernel/osrelease', '6.8.0-45-generic\n');
  write('proc/uptime', '864000.00 1728000.00\n');
  write('etc/os-release', 'PRETTY_NAME="Ubuntu 24.04.1 LTS"\nVERSION_ID="24.04"\nID=ubuntu\n');
  write('proc/cpuinfo', times(8, (cpu) => `processor\t: ${String(cpu)}\nmodel name\t: EPYC\n`).join('\n'));
  const cpu = ' 100000 200 50000 5000000 3000 0 900 0 0 0';
  write('proc/stat', `cpu ${cpu}\n${times(8, (one) => `cpu${String(one)}${cpu}`).join('\n')}\nbtime 1794000000\n`);
  write('proc/loadavg', '0.50 0.40 0.30 1/500 1234\n');
  write(
    'proc/meminfo',
    'MemTotal: 65774848 kB\nMemFree: 1000000 kB\nMemAvailable: 40000000 kB\nBuffers: 1 kB\nCached: 2 kB\n',
  );
  write('proc/net/tcp', '  sl  local_address rem_address   st\n');
  write('proc/self/mountinfo', ['22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw', ...mounts, ''].join('\n'));
  write('proc/mounts', '/dev/sda1 / ext4 rw,relatime 0 0\n');
}

const diskstats = (device: string, minor: number): string =>
  `   8 ${String(minor)} ${device} 100 0 800 50 200 0 1600 80 0 120 130 0 0 0 0 0 0\n`;

function disks(write: Write, link: Link, count: number): void {
  const names = times(
    count,
    (index) => `sd${String.fromCharCode(97 + Math.floor(index / 26))}${String.fromCharCode(97 + (index % 26))}`,
  );
  write('proc/diskstats', names.map((name, index) => diskstats(name, index * 16)).join(''));
  for (const name of names) {
    write(`sys/block/${name}/size`, '7814037168\n');
    link(`sys/block/${name}/device`, '../../devices/pci0000:00/host0');
  }
}

/** Interfaces of a host of virtual machines: a bond of two ports, VLANs on it, a bridge on each VLAN, and taps in the bridges. */
function interfaces(write: Write, link: Link, count: number): void {
  const counters = ' 1000000 2000 0 0 0 0 0 0 2000000 3000 0 0 0 0 0 0';
  const lines: string[] = [];
  const add = (name: string, index: number, files: Record<string, string>, master?: string): void => {
    lines.push(`${name}:${counters}`);
    const at = `sys/class/net/${name}`;
    write(`${at}/ifindex`, `${String(index)}\n`);
    write(`${at}/iflink`, `${files['iflink'] ?? String(index)}\n`);
    write(`${at}/operstate`, 'up\n');
    write(`${at}/type`, '1\n');
    write(`${at}/uevent`, files['uevent'] ?? '');
    write(
      `${at}/address`,
      `02:00:00:00:${Math.floor(index / 256)
        .toString(16)
        .padStart(2, '0')}:${(index % 256).toString(16).padStart(2, '0')}\n`,
    );
    if (master !== undefined) {
      link(`${at}/master`, `../${master}`);
      link(`${at}/upper_${master}`, `../${master}`);
    }
    for (const [file, text] of Object.entries(files)) if (file.includes('/')) write(`${at}/${file}`, text);
  };
  add('eno1', 2, {}, 'bond0');
  add('eno2', 3, {}, 'bond0');
  for (const port of ['eno1', 'eno2']) link(`sys/class/net/${port}/device`, '../../../0000:01:00.0');
  add('bond0', 4, { uevent: 'DEVTYPE=bond\n', 'bonding/slaves': 'eno1 eno2\n' });
  const vlans = Math.floor((count - 3) / 10);
  for (const vlan of times(vlans, (index) => index)) {
    const first = 10 + vlan * 10;
    add(`bond0.${String(vlan)}`, first, { uevent: 'DEVTYPE=vlan\n', iflink: '4' }, `vmbr${String(vlan)}`);
    link(`sys/class/net/bond0.${String(vlan)}/lower_bond0`, '../bond0');
    add(`vmbr${String(vlan)}`, first + 1, { uevent: 'DEVTYPE=bridge\n', 'bridge/bridge_id': '8000.0\n' });
    for (const tap of times(8, (index) => index)) {
      const name = `tap${String(vlan)}i${String(tap)}`;
      add(name, first + 2 + tap, { 'brport/path_cost': '100\n' }, `vmbr${String(vlan)}`);
      write(`sys/class/net/${name}/tun_flags`, '0x1002\n');
    }
  }
  write('proc/net/dev', `Inter-|   Receive\n face |bytes\n${lines.join('\n')}\n`);
}

/** A pool with datasets of their own quota, and its kstat. */
const zfsMounts = (count: number): string[] =>
  times(
    count,
    (index) =>
      `${String(100 + index)} 22 0:${String(50 + index)} / /tank/d${String(index)} rw,relatime - zfs tank/d${String(index)} rw,xattr`,
  );

export interface WideHost {
  name: string;
  /** Bytes of the filesystem that a path lies in, by its size alone. */
  sizeBytes: (path: string) => number;
  fill: (write: Write, link: Link) => void;
}

/** One usual machine, which is the base of the ratios, and two wide ones. */
export const WIDE_HOSTS: readonly WideHost[] = [
  {
    name: 'usual',
    sizeBytes: () => 100 * GIB,
    fill: (write, link) => {
      common(write, []);
      disks(write, link, 2);
      interfaces(write, link, 3);
    },
  },
  {
    name: '240 disks, 500 interfaces',
    sizeBytes: () => 100 * GIB,
    fill: (write, link) => {
      common(
        write,
        times(
          240,
          (index) =>
            `${String(100 + index)} 22 8:${String(index * 16)} / /data/${String(index)} rw - xfs /dev/disk${String(index)} rw`,
        ),
      );
      disks(write, link, 240);
      interfaces(write, link, 500);
    },
  },
  {
    name: '200 datasets of ZFS',
    sizeBytes: (path) => (path === '/' ? 100 : 1000 + path.length) * GIB,
    fill: (write, link) => {
      common(write, zfsMounts(200));
      disks(write, link, 12);
      interfaces(write, link, 3);
      write(
        'proc/spl/kstat/zfs/arcstats',
        '13 1 0x01 147 39984 1 2\nname type data\nsize 4 33285996544\nc_min 4 2147483648\n',
      );
      write('proc/spl/kstat/zfs/tank/state', 'ONLINE\n');
    },
  },
];

/** Writes the machine below the folder. */
export function writeHost(folder: string, { fill }: WideHost): void {
  const path = (file: string): string => {
    const whole = join(folder, file);
    mkdirSync(dirname(whole), { recursive: true });
    return whole;
  };
  fill(
    (file, text) => writeFileSync(path(file), text),
    (file, target) => symlinkSync(target, path(file)),
  );
}

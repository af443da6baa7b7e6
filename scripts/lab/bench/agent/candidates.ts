import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DebianProgram, findProgram } from '../../../../api/src/testing/debian-programs.ts';
import { collectorRuntime } from '../../../lib/collector-runtime.ts';
import { askZabbix, ZABBIX_ITEMS } from './zabbix.ts';

/** A program under test: started, then asked or left to collect once a second. */
export interface Candidate {
  name: string;
  /** The file that must be there, and how to get it. */
  needs: string;
  get: string;
  /** Seconds between collections as it is shipped: its CPU per minute is computed from them. */
  everySeconds: number;
  start: (folder: string, port: number) => { file: string; argv: string[]; env?: Record<string, string> };
  /** Makes it collect once, for those that wait to be asked. */
  ask?: (port: number) => Promise<unknown>;
  /** Numbers of its last collection. Of ours, whoever takes its reports counts them. */
  figures?: (folder: string, port: number) => number | Promise<number>;
}

/** An unpacked program of Debian goes before an installed one. */
const placeOf = (program: DebianProgram, installed: string): string => findProgram(program) ?? installed;

export const OURS = 'plimsoll';

const ours = (program: string): Candidate => ({
  name: OURS,
  needs: program,
  get: 'npm run build:agent -- --target linux-x64',
  everySeconds: 60,
  start: (folder, port) => ({
    file: program,
    argv: ['run'],
    env: {
      ...collectorRuntime(),
      PLIMSOLL_URL: `http://127.0.0.1:${port}`,
      PLIMSOLL_STATE_DIR: folder,
      PLIMSOLL_ENROLMENT_TOKEN: 'bench',
      PLIMSOLL_INTERVAL: '1',
    },
  }),
});

const exposition = (port: number): Promise<string> =>
  fetch(`http://127.0.0.1:${port + 1}/metrics`).then((response) => response.text());

const nodeExporter = (program = placeOf('node-exporter', '/usr/bin/prometheus-node-exporter')): Candidate => ({
  name: 'node_exporter',
  needs: program,
  get: 'apt-get install prometheus-node-exporter',
  everySeconds: 15,
  start: (_folder, port) => ({
    file: program,
    argv: [`--web.listen-address=127.0.0.1:${port + 1}`, '--collector.processes', '--collector.tcpstat'],
  }),
  ask: exposition,
  figures: async (_folder, port) => (await exposition(port)).split('\n').filter((line) => /^[^#]/.test(line)).length,
});

/** Zabbix takes no port above 32767, where the system gives the free ones. */
const zabbixPort = (port: number): number => 20_000 + (port % 12_000);

const zabbixAgent = (program = placeOf('zabbix-agent2', '/usr/sbin/zabbix_agent2')): Candidate => ({
  name: 'zabbix-agent2',
  needs: program,
  get: 'apt-get install zabbix-agent2',
  everySeconds: 60,
  start: (folder, port) => {
    const text = `LogType=console
DebugLevel=0
Server=127.0.0.1
ListenIP=127.0.0.1
ListenPort=${zabbixPort(port)}
ControlSocket=${folder}/agent.sock
PluginSocket=${folder}/plugin.sock
Hostname=bench
`;
    writeFileSync(join(folder, 'zabbix.conf'), text);
    return { file: program, argv: ['-c', join(folder, 'zabbix.conf')] };
  },
  ask: (port) => askZabbix(zabbixPort(port)),
  figures: () => ZABBIX_ITEMS.length,
});

const COLLECTD_PLUGINS = ['cpu', 'memory', 'df', 'disk', 'interface', 'load', 'processes', 'tcpconns', 'csv'];
/** The newest line of each file of its csv plugin, but the time. */
const csvFigures = (folder: string): number =>
  globSync('csv/**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').trimEnd().split('\n').at(-1) ?? '')
    .reduce((sum, line) => sum + line.split(',').length - 1, 0);

const collectd = (program = placeOf('collectd', '/usr/sbin/collectd')): Candidate => ({
  name: 'collectd',
  needs: program,
  get: 'apt-get install collectd-core',
  everySeconds: 10,
  start: (folder) => {
    const root = join(dirname(program), '../..');
    const text = `Interval 1
BaseDir "${folder}"
PIDFile "${folder}/pid"
PluginDir "${root}/usr/lib/collectd"
TypesDB "${root}/usr/share/collectd/types.db"
${COLLECTD_PLUGINS.map((name) => `LoadPlugin ${name}`).join('\n')}
<Plugin tcpconns>
  AllPortsSummary true
</Plugin>
<Plugin csv>
  DataDir "${folder}/csv"
</Plugin>
`;
    writeFileSync(join(folder, 'collectd.conf'), text);
    return { file: program, argv: ['-f', '-C', join(folder, 'collectd.conf')] };
  },
  figures: csvFigures,
});

const GLANCES: Candidate = {
  name: 'glances',
  needs: '/usr/bin/glances',
  get: 'apt-get install glances',
  everySeconds: 3,
  start: (folder) => ({
    file: '/usr/bin/glances',
    argv: ['--quiet', '--time', '1', '--export', 'csv', '--export-csv-file', join(folder, 'out.csv')],
  }),
};

const NETDATA: Candidate = {
  name: 'netdata',
  needs: '/usr/sbin/netdata',
  get: 'apt-get install netdata-core',
  everySeconds: 1,
  start: (folder, port) => {
    const places = ['cache', 'lib', 'log'].map((name) => `${name} = ${folder}`).join('\n');
    const text = `[global]\nrun as user = root\n[directories]\n${places}\n[plugins]\nstatsd = no\n[web]\nbind to = 127.0.0.1:${port + 2}\n`;
    writeFileSync(join(folder, 'netdata.conf'), text);
    return { file: '/usr/sbin/netdata', argv: ['-D', '-c', join(folder, 'netdata.conf')] };
  },
};

/**
 * The tables that every collector of processes and connections has to read, without parsing them: one system call each to
 * open, read and close. The kernel takes this time, so it shows the speed of the machine and a lower bound for any
 * program. A table of sockets ends where a read gives less than a page: one more read would walk it twice.
 */
const BARE_READ: Candidate = {
  name: 'bare read',
  needs: '/usr/bin/perl',
  get: 'apt-get install perl-base',
  everySeconds: 60,
  start: () => ({
    file: '/usr/bin/perl',
    argv: [
      '-e',
      `while (1) {
        for (glob('/proc/[0-9]*/stat')) { open(my $file, '<', $_) or next; sysread($file, my $bytes, 65536) }
        for ('/proc/net/tcp', '/proc/net/tcp6') {
          open(my $file, '<', $_) or next;
          1 while (sysread($file, my $bytes, 65536) // 0) >= 3584;
        }
        select(undef, undef, undef, 1);
      }`,
    ],
  }),
};

/** Ours first, then the peers doing what comes nearest to it, and what none can do without. */
export const candidates = (program: string): Candidate[] => [
  ours(program),
  nodeExporter(),
  zabbixAgent(),
  collectd(),
  GLANCES,
  NETDATA,
  BARE_READ,
];

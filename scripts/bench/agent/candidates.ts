import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectorRuntime } from '../../lib/collector-runtime.ts';

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
}

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

const NODE_EXPORTER: Candidate = {
  name: 'node_exporter',
  needs: '/usr/bin/prometheus-node-exporter',
  get: 'apt-get install prometheus-node-exporter',
  everySeconds: 15,
  start: (_folder, port) => ({
    file: '/usr/bin/prometheus-node-exporter',
    argv: [`--web.listen-address=127.0.0.1:${port + 1}`, '--collector.processes', '--collector.tcpstat'],
  }),
  ask: (port) => fetch(`http://127.0.0.1:${port + 1}/metrics`).then((response) => response.text()),
};

const COLLECTD_PLUGINS = ['cpu', 'memory', 'df', 'disk', 'interface', 'load', 'processes', 'tcpconns', 'csv'];
const COLLECTD: Candidate = {
  name: 'collectd',
  needs: '/usr/sbin/collectd',
  get: 'apt-get install collectd-core',
  everySeconds: 10,
  start: (folder) => {
    const text = `Interval 1
BaseDir "${folder}"
PIDFile "${folder}/pid"
${COLLECTD_PLUGINS.map((name) => `LoadPlugin ${name}`).join('\n')}
<Plugin tcpconns>
  AllPortsSummary true
</Plugin>
<Plugin csv>
  DataDir "${folder}/csv"
</Plugin>
`;
    writeFileSync(join(folder, 'collectd.conf'), text);
    return { file: '/usr/sbin/collectd', argv: ['-f', '-C', join(folder, 'collectd.conf')] };
  },
};

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
  NODE_EXPORTER,
  COLLECTD,
  GLANCES,
  NETDATA,
  BARE_READ,
];

import type { Machine } from '../../install/machine.ts';
import type { Incident, Named } from '../incident.ts';
import { FURTHER_HOST_INCIDENTS } from './further.ts';
import { program, restart, sh, startUnit, unit } from './parts.ts';
import { writeInside } from './programs.ts';

const root: Named[] = [{ kind: 'filesystem', name: '/' }];

/** Faults of disks and files. The disk of a machine is a bounded part of memory. */
const DISK: Incident<Machine>[] = [
  {
    name: 'log-fills-disk',
    fault: 'exporter.service writes its log until the disk is full; the web server can then write none',
    causes: [{ entities: program('exporter'), mechanism: 'a program fills the disk', change: null }],
    related: root,
    decoy: null,
    inject: (machine) =>
      startUnit(
        machine,
        'exporter',
        'while :; do head -c 4000000 /dev/zero | tr "\\0" x >> /var/log/exporter.log || sleep 5; sleep 0.05; done',
      ),
  },
  {
    name: 'deleted-open-file',
    fault: 'recorder.service holds a deleted file that takes nine tenths of the free space',
    causes: [{ entities: program('recorder'), mechanism: 'deleted file still open', change: null }],
    related: root,
    decoy: null,
    inject: (machine) =>
      startUnit(
        machine,
        'recorder',
        'exec 9>/var/tmp/recording; rm /var/tmp/recording; free=$(df --output=avail -B1 / | tail -1); head -c $((free * 9 / 10)) /dev/zero >&9; exec sleep 3600',
      ),
  },
  {
    name: 'inodes-full',
    fault: 'sessions.service makes thousands of small files until no inode is left',
    causes: [{ entities: program('sessions'), mechanism: 'a program uses all inodes', change: null }],
    related: root,
    decoy: null,
    inject: (machine) =>
      startUnit(
        machine,
        'sessions',
        'mkdir -p /var/lib/sessions; cd /var/lib/sessions; i=0; while :; do i=$((i+1)); : > s$i || sleep 5; done 2>/dev/null',
      ),
  },
  {
    name: 'mount-gone',
    fault: 'the mount /srv/data, which the backend reads, is unmounted',
    causes: [{ entities: [{ kind: 'filesystem', name: '/srv/data' }], mechanism: 'mount missing', change: null }],
    related: program('backend'),
    decoy: null,
    inject: (machine) => sh(machine, 'umount --lazy /srv/data'),
  },
];

/** Faults of units, their files and their users. */
const UNITS: Incident<Machine>[] = [
  {
    name: 'port-taken',
    fault: 'legacy.service takes port 8080 while web.service restarts',
    causes: [{ entities: program('legacy'), mechanism: 'port taken by another program', change: null }],
    related: unit('web'),
    decoy: null,
    async inject(machine) {
      await sh(machine, 'systemctl stop web');
      await startUnit(
        machine,
        'legacy',
        `exec /usr/local/bin/webd -e "require('node:net').createServer((s) => s.end()).listen(8080)"`,
      );
      await sh(machine, 'systemctl start web || true');
    },
  },
  {
    name: 'config-broken',
    fault: 'an operator writes web.json with a missing bracket and restarts web.service',
    causes: [{ entities: unit('web'), mechanism: 'configuration that the program cannot read', change: null }],
    decoy: 'an unrelated unit is enabled just before',
    async inject(machine) {
      writeInside(
        machine,
        '/etc/systemd/system/cleanup.service',
        '[Service]\nType=oneshot\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n',
      );
      await sh(machine, 'systemctl daemon-reload; systemctl enable cleanup');
      writeInside(machine, '/etc/web/web.json', '{ "port": 8080, "backend": "127.0.0.1:9000"\n');
      await restart(machine, 'web');
    },
  },
  {
    name: 'package-replaces-config',
    fault: 'the update of the package web-config replaces web.json by one with a wrong backend',
    causes: [{ entities: unit('web'), mechanism: 'package update changed a configuration', change: null }],
    related: unit('backend'),
    decoy: null,
    async inject(machine) {
      const folder = '/var/tmp/web-config';
      writeInside(
        machine,
        `${folder}/DEBIAN/control`,
        'Package: web-config\nVersion: 1.1\nArchitecture: all\nMaintainer: lab <lab@example.com>\nDescription: configuration of the shop\n',
      );
      writeInside(machine, `${folder}/etc/web/web.json`, '{ "port": 8080, "backend": "127.0.0.1:9001" }\n');
      await sh(
        machine,
        `dpkg-deb --build ${folder} /var/tmp/web-config.deb && dpkg -i --force-confnew /var/tmp/web-config.deb`,
      );
      await restart(machine, 'web');
    },
  },
  {
    name: 'backend-stopped',
    fault: 'an operator stops backend.service; the web server answers 502',
    causes: [{ entities: program('backend'), mechanism: 'unit stopped', change: null }],
    decoy: null,
    inject: (machine) => sh(machine, 'systemctl stop backend'),
  },
  {
    name: 'backend-crashed',
    fault: 'backend.service is killed by signal 11 and has no restart',
    causes: [{ entities: program('backend'), mechanism: 'unit ended by a signal', change: null }],
    decoy: 'the package web-tools is installed just before',
    async inject(machine) {
      const folder = '/var/tmp/web-tools';
      writeInside(
        machine,
        `${folder}/DEBIAN/control`,
        'Package: web-tools\nVersion: 2.0\nArchitecture: all\nMaintainer: lab <lab@example.com>\nDescription: tools of the shop\n',
      );
      await sh(machine, `dpkg-deb --build ${folder} /var/tmp/web-tools.deb && dpkg -i /var/tmp/web-tools.deb`);
      await sh(machine, 'kill -SEGV "$(systemctl show -p MainPID --value backend)"');
    },
  },
  {
    name: 'program-not-executable',
    fault: 'the program of web.service loses its right to be executed and is restarted',
    causes: [{ entities: unit('web'), mechanism: 'program cannot be executed', change: null }],
    decoy: null,
    async inject(machine) {
      await sh(machine, 'chmod -x /opt/web/start.sh');
      await restart(machine, 'web');
    },
  },
  {
    name: 'user-removed',
    fault: 'the user of web.service is removed, and the unit is restarted',
    causes: [{ entities: unit('web'), mechanism: 'user of the unit missing', change: null }],
    decoy: null,
    async inject(machine) {
      await sh(machine, 'systemctl stop web; userdel webapp');
      await sh(machine, 'systemctl start web || true');
    },
  },
  {
    name: 'environment-file-missing',
    fault: 'the EnvironmentFile of web.service is deleted, and the unit is restarted',
    causes: [{ entities: unit('web'), mechanism: 'file of the unit missing', change: null }],
    decoy: null,
    async inject(machine) {
      await sh(machine, 'rm /etc/web/web.env');
      await restart(machine, 'web');
    },
  },
  {
    name: 'files-exhausted',
    fault: 'a drop-in sets the limit of open files of backend.service to 40, and it leaks files',
    causes: [{ entities: program('backend'), mechanism: 'limit of open files reached', change: null }],
    decoy: null,
    async inject(machine) {
      const lines = '[Service]\nLimitNOFILE=40\nEnvironment=LEAK=files\n';
      writeInside(machine, '/etc/systemd/system/backend.service.d/limit.conf', lines);
      await sh(machine, 'systemctl daemon-reload; systemctl restart backend');
      await sh(
        machine,
        'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do curl -s -o /dev/null http://127.0.0.1:9000/ || true; done',
      );
    },
  },
  {
    name: 'backup-fails',
    fault: 'the folder that backup.service writes to is removed; its next run fails',
    causes: [{ entities: unit('backup'), mechanism: 'a job of the machine fails', change: null }],
    decoy: null,
    async inject(machine) {
      writeInside(
        machine,
        '/etc/systemd/system/backup.service',
        '[Unit]\nDescription=Nightly backup\n[Service]\nType=oneshot\nExecStart=/bin/tar -cf /var/backups/shop/etc.tar /etc/web\n',
      );
      await sh(
        machine,
        'mkdir -p /var/backups/shop; systemctl daemon-reload; systemctl start backup; rm -r /var/backups/shop',
      );
      await sh(machine, 'systemctl start backup || true');
    },
  },
];

/** Ordinary work without harm: nothing may be accused. */
const HEALTHY: Incident<Machine>[] = [
  {
    name: 'healthy-package',
    fault: 'a package is installed, and web.service is restarted',
    causes: [],
    decoy: null,
    async inject(machine) {
      const folder = '/var/tmp/web-docs';
      writeInside(
        machine,
        `${folder}/DEBIAN/control`,
        'Package: web-docs\nVersion: 1.0\nArchitecture: all\nMaintainer: lab <lab@example.com>\nDescription: documents of the shop\n',
      );
      await sh(machine, `dpkg-deb --build ${folder} /var/tmp/web-docs.deb && dpkg -i /var/tmp/web-docs.deb`);
      await restart(machine, 'web');
    },
  },
  {
    name: 'healthy-backup',
    fault: 'the nightly backup packs the configuration of the machine',
    causes: [],
    decoy: null,
    async inject(machine) {
      writeInside(
        machine,
        '/etc/systemd/system/backup.service',
        '[Unit]\nDescription=Nightly backup\n[Service]\nType=oneshot\nExecStart=/bin/tar -czf /var/tmp/backup.tgz /etc\n',
      );
      await sh(machine, 'systemctl daemon-reload; systemctl start backup || true');
    },
  },
  {
    name: 'healthy-unit',
    fault: 'a unit is added, enabled and started, and web.json gets a blank line',
    causes: [],
    decoy: null,
    async inject(machine) {
      await startUnit(machine, 'metrics', 'exec sleep 3600');
      await sh(machine, 'echo >> /etc/web/web.json');
    },
  },
];

export const HOST_INCIDENTS: readonly Incident<Machine>[] = [...DISK, ...UNITS, ...HEALTHY, ...FURTHER_HOST_INCIDENTS];

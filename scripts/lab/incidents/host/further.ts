import { setTimeout } from 'node:timers/promises';
import type { Machine } from '../../install/machine.ts';
import type { Incident } from '../incident.ts';
import { program, restart, sh, startUnit, unit } from './parts.ts';
import { BACKEND_NAME, writeInside } from './programs.ts';

/** The parts of the fault are there so long before it that the collector has reported them. */
const SETTLED_MS = 25_000;
/** An address without a route from the machine. */
const OLD_ADDRESS = '10.20.0.9';

const FAULTS: Incident<Machine>[] = [
  {
    name: 'hosts-leads-elsewhere',
    fault: `an operator lets /etc/hosts lead ${BACKEND_NAME} to an address that nobody has`,
    causes: [
      {
        // The file is no entity; what it names is.
        entities: [
          { kind: 'peer', name: BACKEND_NAME },
          { kind: 'peer', name: OLD_ADDRESS },
          { kind: 'peer', name: `${OLD_ADDRESS}:9000` },
        ],
        mechanism: 'name of the backend leads elsewhere',
        change: null,
      },
    ],
    related: [...program('web'), ...program('backend')],
    decoy: 'a blank line is added to web.env a moment before',
    async inject(machine) {
      await sh(machine, 'echo >> /etc/web/web.env');
      // Not sed -i: it would put another file in its place, which a mount of the file does not allow.
      await sh(
        machine,
        `hosts=$(sed 's/^127.0.0.1 ${BACKEND_NAME}$/${OLD_ADDRESS} ${BACKEND_NAME}/' /etc/hosts) && echo "$hosts" > /etc/hosts`,
      );
    },
  },
  {
    name: 'config-unreadable',
    fault: 'a hardening script takes the right to read web.json from all but root, and web.service is restarted',
    causes: [{ entities: unit('web'), mechanism: 'configuration may not be read by the program', change: null }],
    decoy: null,
    async inject(machine) {
      await sh(machine, 'chown root:root /etc/web/web.json && chmod 600 /etc/web/web.json');
      await restart(machine, 'web');
    },
  },
  {
    name: 'needed-unit-stopped',
    fault: 'an operator stops session-store.service; web.service requires it, so systemd stops that too',
    causes: [{ entities: program('session-store'), mechanism: 'unit that others require stopped', change: null }],
    related: unit('web'),
    decoy: null,
    async inject(machine) {
      await startUnit(machine, 'session-store', 'exec sleep 3600');
      writeInside(
        machine,
        '/etc/systemd/system/web.service.d/store.conf',
        '[Unit]\nRequires=session-store.service\nAfter=session-store.service\n',
      );
      await sh(machine, 'systemctl daemon-reload && systemctl restart web');
      await setTimeout(SETTLED_MS);
      await sh(machine, 'systemctl stop session-store');
    },
  },
  {
    name: 'logs-read-only',
    fault:
      'the file system of /var/log/web is remounted read-only; the web server cannot write its log and answers 502',
    causes: [
      { entities: [{ kind: 'filesystem', name: '/var/log/web' }], mechanism: 'mount became read-only', change: null },
    ],
    related: program('web'),
    decoy: null,
    async inject(machine) {
      await sh(machine, 'mount -t tmpfs -o size=8m,mode=0755 logs /var/log/web && chown webapp /var/log/web');
      await setTimeout(SETTLED_MS);
      await sh(machine, 'mount -o remount,ro /var/log/web');
    },
  },
  {
    name: 'cleanup-deletes-data',
    fault: 'a new timer runs cleanup-exports.service, which deletes the products of the backend with the old exports',
    causes: [
      {
        entities: [...unit('cleanup-exports'), { kind: 'process', name: 'find' }],
        mechanism: 'a job deletes what others need',
        change: null,
      },
    ],
    related: [...program('backend'), { kind: 'filesystem', name: '/srv/data' }],
    decoy: 'backend.service is restarted just before',
    async inject(machine) {
      await sh(machine, 'systemctl restart backend');
      writeInside(
        machine,
        '/etc/systemd/system/cleanup-exports.service',
        "[Unit]\nDescription=Deletes old exports\n[Service]\nType=oneshot\nExecStart=/usr/bin/find /srv -name '*.json' -print -delete\n",
      );
      writeInside(
        machine,
        '/etc/systemd/system/cleanup-exports.timer',
        '[Unit]\nDescription=Deletes old exports\n[Timer]\nOnActiveSec=5\nOnUnitActiveSec=30\nAccuracySec=1\n[Install]\nWantedBy=timers.target\n',
      );
      await sh(machine, 'systemctl daemon-reload && systemctl enable --now cleanup-exports.timer');
    },
  },
  {
    name: 'start-times-out',
    fault: 'a drop-in lets web.service wait for a licence that nobody puts there; each start times out after 8 s',
    causes: [{ entities: unit('web'), mechanism: 'start of the unit times out', change: null }],
    decoy: null,
    async inject(machine) {
      writeInside(
        machine,
        '/etc/systemd/system/web.service.d/licence.conf',
        "[Service]\nTimeoutStartSec=8\nExecStartPre=/bin/sh -c 'until [ -e /run/licence/valid ]; do sleep 1; done'\n",
      );
      await sh(machine, 'systemctl daemon-reload && systemctl restart --no-block web');
    },
  },
];

/** Ordinary work without harm: nothing may be accused. */
const HEALTHY: Incident<Machine>[] = [
  {
    name: 'healthy-rotation',
    fault: 'a unit rotates and packs the log of the web server',
    causes: [],
    decoy: null,
    async inject(machine) {
      writeInside(
        machine,
        '/etc/systemd/system/rotate-web.service',
        "[Unit]\nDescription=Rotates the log of the web server\n[Service]\nType=oneshot\nUser=webapp\nExecStart=/bin/sh -c 'cd /var/log/web && touch access.log && mv access.log access.log.1 && gzip -f access.log.1'\n",
      );
      await sh(machine, 'systemctl daemon-reload && systemctl start rotate-web');
    },
  },
  {
    name: 'healthy-timer',
    fault: 'a timer that runs a job every 20 s is added, and systemd reads its units anew',
    causes: [],
    decoy: null,
    async inject(machine) {
      writeInside(
        machine,
        '/etc/systemd/system/stock-report.service',
        "[Unit]\nDescription=Reports the stock\n[Service]\nType=oneshot\nExecStart=/bin/sh -c 'wc -c /srv/data/products.json'\n",
      );
      writeInside(
        machine,
        '/etc/systemd/system/stock-report.timer',
        '[Unit]\nDescription=Reports the stock\n[Timer]\nOnActiveSec=5\nOnUnitActiveSec=20\nAccuracySec=1\n[Install]\nWantedBy=timers.target\n',
      );
      await sh(machine, 'systemctl daemon-reload && systemctl enable --now stock-report.timer');
      await setTimeout(SETTLED_MS);
      await sh(machine, 'systemctl daemon-reload');
    },
  },
];

/** Incidents of machines, of kinds that the others do not have. */
export const FURTHER_HOST_INCIDENTS: readonly Incident<Machine>[] = [...FAULTS, ...HEALTHY];

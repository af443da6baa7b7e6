import { field } from '../shop.ts';
import { type OtherFault, changed, edited, event, fault, flat, line } from './host-told.ts';

const KILLED = 'The kernel killed a process: out of memory';
/** A container of the machine reached its own limit some times: nothing of it belongs to the alert. */
const kills = [5, 6, 8].map((minutes) => event('process_crash', '', KILLED, minutes));
const unreachable = (text: string) => ({
  metric: 'check_failed',
  lines: [line('journal_error', 'web.service', text, 4)],
});

/** Programs that do not reach what they call, and kernel kills that name nobody. */
export const besideCalls: readonly OtherFault[] = [
  fault('kills-of-a-container', [], { metric: 'check_failed', events: kills, series: { memory: flat(31) } }),
  fault('kills-of-a-full-machine', [/server web-1|process/], {
    metric: 'oom_kill',
    events: kills,
    series: { memory: flat(97, 0.5) },
  }),
  fault('name-leads-elsewhere', [/^peer 10\.20\.0\.9:9000/, /^change files-5/], {
    ...unreachable('web: request failed: connect ENETUNREACH 10.20.0.9:9000 - Local (0.0.0.0:0)'),
    events: kills,
    series: { memory: flat(31) },
    changes: [edited('/etc/hosts', 5)],
  }),
  fault('other-machine-is-gone', [/^peer db\.internal:5432/], {
    ...unreachable('dial tcp db.internal:5432: i/o timeout'),
    changes: [edited('/etc/motd', 5)],
  }),
  fault('two-units-stop-together', [/^unit sessions/, /^unit web/], {
    metric: 'check_failed',
    changes: [
      changed('units', 9, 'web.service.d/store.conf added', [field('web.service.d/store.conf', null, '40 bytes')]),
    ],
    events: [
      event('service_restart', 'web.service', 'web.service restarted', 9),
      event('service_stop', 'sessions.service', 'sessions.service stopped', 5),
      event('service_stop', 'web.service', 'web.service stopped', 5),
    ],
  }),
  fault('job-deletes-what-others-need', [/^unit purge-exports/, /^change units-6/], {
    ...unreachable("cannot read prices: ENOENT: no such file or directory, open '/srv/data/prices.json'"),
    changes: [
      changed('units', 6, 'purge-exports.service added, purge-exports.timer added', [
        field('purge-exports.service', null, '90 bytes'),
        field('purge-exports.timer', null, '70 bytes'),
      ]),
    ],
    events: [event('service_restart', 'mailer.service', 'mailer.service restarted', 6)],
  }),
  fault('file-is-missing', [/^unit web/], {
    ...unreachable("cannot read prices: ENOENT: no such file or directory, open '/srv/data/prices.json'"),
  }),
  fault('backend-of-the-machine-stopped', [/^unit backend/], {
    ...unreachable('connect ECONNREFUSED 127.0.0.1:9000'),
    events: [event('service_stop', 'backend.service', 'backend.service failed (exit-code)', 5)],
  }),
];

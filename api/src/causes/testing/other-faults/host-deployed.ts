import { ago } from '../shop.ts';
import { type OtherFault, changed, event, fault, running, seen, step } from './host-told.ts';

/** A mark of a pipeline that names no machine. */
const mark = (title: string, minutes: number) =>
  changed('deploy', minutes, title, [], {
    id: `deploy ${title}`,
    source: 'deploy',
    action: 'deployed',
    name: title,
    by: 'mira',
    serverId: null,
    hostname: null,
  });
const MARKS = { changes: [mark('billing 4.1', 6), mark('renderer 2.7', 5)] };

/** Faults with deploy marks without a place: only what a title names counts. */
export const besideDeployMarks: readonly OtherFault[] = [
  fault(
    'the-unit-that-was-deployed',
    [/^unit renderer/, /^change deploy renderer/],
    {
      metric: 'systemd_unit_failed',
      subject: 'renderer.service',
      ...MARKS,
      failedUnits: ['renderer.service'],
      events: [event('service_stop', 'renderer.service', 'renderer.service failed (exit-code)', 4)],
    },
    { never: [/billing/] },
  ),
  fault(
    'another-unit',
    [/^unit mailer/],
    {
      metric: 'systemd_unit_failed',
      subject: 'mailer.service',
      ...MARKS,
      failedUnits: ['mailer.service'],
      events: [event('service_stop', 'mailer.service', 'mailer.service failed (exit-code)', 4)],
    },
    { never: [/renderer/, /billing/] },
  ),
  fault(
    'the-program-that-was-deployed',
    [/^process renderer/, /^change deploy renderer/],
    {
      metric: 'cpu_usage',
      ...MARKS,
      series: { cpu: step(22, 95, 4) },
      processes: running(seen('renderer', { cpuPercent: 620, startedAt: ago(5) })),
      processesBefore: running(seen('renderer', { cpuPercent: 20 })),
    },
    { never: [/billing/] },
  ),
  fault('check-of-something-else', [], { metric: 'check_failed', ...MARKS }, { never: [/renderer/, /billing/] }),
  fault('check-that-was-deployed', [/198\.51\.100\.7/, /^change deploy shop/], {
    metric: 'check_failed',
    changes: [...MARKS.changes, mark('shop 1.9.2', 5)],
  }),
  fault('mark-of-an-hour-ago', [], { metric: 'check_failed', changes: [mark('shop 1.9.2', 50)] }),
  fault('mark-after-it', [], { metric: 'check_failed', minutes: 12, changes: [mark('shop 1.9.3', -2)] }),
];

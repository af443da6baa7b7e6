import type { ContainerPart } from '../../wire/container-part.ts';
import { matchers, type HostMetric, type Reading } from '../alert-metric.ts';
import { HOST_SCALES } from '../alert-metric-scales.ts';
import { RESTART_LOOP_PER_HOUR } from '../container-states.ts';

/** Metrics of containers, watched processes and kills for memory. A host that reports none of them has no alert of them. */

const perHost = { scope: 'host', isClearWhenAbsent: true, hysteresisPoints: 0 } as const;
const NO_CONTAINER_HISTORY = 'The stored history of containers has no states.';

/** Returns one reading for each subject: of two containers with one name the higher value counts. */
function highestBySubject(readings: readonly (Reading & { value: number })[]): Reading[] {
  const highest = new Map<string, Reading & { value: number }>();
  for (const one of readings) {
    const known = highest.get(one.subject);
    if (known === undefined || known.value < one.value) highest.set(one.subject, one);
  }
  return [...highest.values()];
}

const nameOf = ({ id, name }: ContainerPart): string => name ?? id;

export const CONTAINER_RESTARTS = {
  ...perHost,
  ...HOST_SCALES.container_restarts,
  ruleId: 'default-container-restarts',
  ruleName: 'Restarts of a container in 1 h',
  title: 'Container restarts again and again',
  lines: [{ level: 'error', threshold: RESTART_LOOP_PER_HOUR }],
  forSeconds: 0,
  // Between two tries a container may be missing from a report.
  keepFiringForSeconds: 600,
  missingHistory: NO_CONTAINER_HISTORY,
  read: ({ containers }) =>
    containers === undefined
      ? null
      : highestBySubject(
          containers.map((one) => {
            const value = one.restarts_last_hour ?? 0;
            return { subject: nameOf(one), value, detail: `${nameOf(one)} restarted ${String(value)} times in 1 h` };
          }),
        ),
  // cAdvisor: a container that starts again has a new start time.
  expression: (selectors) => `changes(container_start_time_seconds${matchers('name!=""', ...selectors)}[1h])`,
} as const satisfies HostMetric;

export const CONTAINER_UNHEALTHY = {
  ...perHost,
  ...HOST_SCALES.container_unhealthy,
  ruleId: 'default-container-unhealthy',
  ruleName: 'Container unhealthy',
  title: 'Container is unhealthy',
  lines: [{ level: 'warning', threshold: null }],
  // Docker calls a container unhealthy after three failed checks; a start or a deploy passes within 5 minutes.
  forSeconds: 300,
  keepFiringForSeconds: 0,
  missingHistory: NO_CONTAINER_HISTORY,
  read: ({ containers }) =>
    containers === undefined
      ? null
      : highestBySubject(
          containers
            .filter(({ state }) => state === 'unhealthy')
            .map((one) => ({
              subject: nameOf(one),
              value: 1,
              detail: `The health check of ${nameOf(one)} fails. docker inspect ${nameOf(one)} shows its last output`,
            })),
        ),
  // cAdvisor exports the result of Docker's health check.
  expression: (selectors) => `container_health_state${matchers('name!=""', ...selectors)}`,
  firesAt: '== 0',
} as const satisfies HostMetric;

export const PROCESS_NOT_RUNNING = {
  ...perHost,
  ...HOST_SCALES.process_not_running,
  ruleId: 'default-process-not-running',
  ruleName: 'Watched process not running',
  title: 'Watched process is not running',
  lines: [{ level: 'critical', threshold: null }],
  // A restart of a service takes less than three reports.
  forSeconds: 180,
  keepFiringForSeconds: 0,
  missingHistory: 'No history of watched processes is stored.',
  read: ({ watched_processes: watched }) =>
    watched
      ?.filter(({ running }) => running === 0)
      .map(({ name }) => ({
        subject: name,
        value: 1,
        detail: `No process named ${name} runs. The setting watched_processes of the host names it`,
      })) ?? null,
  // process-exporter with a group of this name.
  expression: (selectors) => `namedprocess_namegroup_num_procs${matchers(...selectors)}`,
  firesAt: '== 0',
} as const satisfies HostMetric;

export const OOM_KILL = {
  ...perHost,
  ...HOST_SCALES.oom_kill,
  ruleId: 'default-host-oom-kill',
  ruleName: 'OOM kills',
  title: 'The kernel killed a process for its memory',
  lines: [{ level: 'warning', threshold: 1 }],
  forSeconds: 0,
  // A report has the kills since the one before; the alert stays for an hour after the last one.
  keepFiringForSeconds: 3600,
  missingHistory: 'No history of OOM kills is stored.',
  read: ({ oom_kills: kills }) =>
    kills === undefined
      ? []
      : [
          {
            subject: '',
            value: kills,
            detail: `The kernel killed ${kills === 1 ? 'a process' : `${String(kills)} processes`}: out of memory`,
          },
        ],
  expression: (selectors) => `increase(node_vmstat_oom_kill${matchers(...selectors)}[1h])`,
} as const satisfies HostMetric;

import { nameOf } from '../../entities.ts';
import type { Mechanism } from '../../mechanism.ts';
import { quoted } from '../../words.ts';
import {
  changeWords,
  eachWorkload,
  eventsOf,
  firstAt,
  isInTrouble,
  templateChange,
  undoCommand,
} from '../../workload-states.ts';

const PROBE = /^(Liveness|Readiness|Startup) probe/i;
const PORT = /"port": ?"?([\w-]{1,63})"?/;
const KINDS = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Ports that probes use and that the container does not declare. */
function foreignPorts(fields: Readonly<Record<string, string>>): string[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    const kind = KINDS.find((one) => field.endsWith(`.${one}`));
    const port = PORT.exec(value)?.[1];
    if (kind === undefined || port === undefined) return [];
    const ports = fields[`${field.slice(0, -kind.length)}ports`];
    if (ports === undefined) return [];
    const declared = ports.split(', ').flatMap((one) => one.split(/[ /]/));
    return declared.includes(port) ? [] : [`the ${kind} uses port ${port}, the container declares ${ports}`];
  });
}

export const probe: Mechanism = {
  id: 'probe_failure',
  title: 'Probe fails',
  needs: ['pods'],
  recognise: eachWorkload((workload, moment) => {
    const failed = eventsOf(workload, /^(?:Unhealthy|ProbeWarning)$/, PROBE);
    const kills = eventsOf(workload, /^Killing$/, /probe/i);
    const [last] = [...failed, ...kills];
    if (last === undefined || !isInTrouble(workload, moment)) return null;
    const isLiveness = kills.length > 0 || failed.some(({ message }) => /^(?:Liveness|Startup)/i.test(message));
    const change = moment
      .changesOf(workload.ref)
      .find(({ fields }) => fields.some(({ field }) => /(?:liveness|readiness|startup)Probe$/.test(field)));
    const foreign = workload.object === null ? [] : foreignPorts(workload.object.fields);
    const isBroken = change !== undefined || foreign.length > 0;
    return {
      entities: [workload.entity],
      finding: isBroken
        ? `The probe of ${nameOf(workload.entity)} asks what the container does not serve${foreign[0] === undefined ? '' : `: ${foreign[0]}`}.`
        : isLiveness
          ? `The kubelet restarts ${nameOf(workload.entity)} because its liveness probe fails.`
          : `${nameOf(workload.entity)} is not ready because its probe fails.`,
      since: change?.at ?? firstAt(failed),
      change: change ?? (foreign.length > 0 ? templateChange(workload, moment, /Probe/) : undefined),
      specificity: isBroken ? 'stated' : 'state',
      brings: isLiveness ? ['crash', 'failing', 'missing'] : ['failing', 'missing'],
      ...(!isBroken && { is: 'failing' as const }),
      evidence: [
        { text: quoted(last.message), at: last.lastAt },
        `${String(failed.length)} failed probes recorded`,
        change !== undefined && changeWords(change),
      ],
      next: 'Check path, port and timeout of the probe against what the container serves, and how long it needs to start.',
      command: change === undefined ? null : undoCommand(workload),
    };
  }),
};

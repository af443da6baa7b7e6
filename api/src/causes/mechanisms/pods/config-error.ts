import { nameOf } from '../../entities.ts';
import type { Mechanism } from '../../mechanism.ts';
import { quoted } from '../../words.ts';
import {
  containersOf,
  eachWorkload,
  eventsOf,
  POD_TROUBLE,
  templateChange,
  undoCommand,
} from '../../workload-states.ts';

const REASONS =
  /^(?:CreateContainerConfigError|CreateContainerError|RunContainerError|StartError|ContainerCannotRun|CreatePodSandboxError|PostStartHookError)$/;

export const configError: Mechanism = {
  id: 'container_not_created',
  title: 'Container cannot be created',
  needs: ['pods'],
  recognise: eachWorkload((workload, moment) => {
    const [failed] = containersOf(
      workload,
      ({ reason, end }) => REASONS.test(reason ?? '') || REASONS.test(end?.reason ?? ''),
    );
    if (failed === undefined) return null;
    const { container, pod } = failed;
    const [said] = eventsOf(workload, /^Failed/);
    const change = templateChange(workload, moment);
    const words = container.end?.message ?? said?.message ?? null;
    return {
      entities: [workload.entity],
      finding: `A container of ${nameOf(workload.entity)} cannot be created from its specification.`,
      since: change?.at ?? said?.firstAt ?? pod.createdAt,
      change,
      specificity: 'broken',
      brings: POD_TROUBLE,
      is: 'start',
      evidence: [container.reason ?? container.end?.reason ?? '', words !== null && quoted(words)],
      next: 'Correct its command, its user or what it mounts. The pod then starts by itself.',
      command: change === undefined ? null : undoCommand(workload),
    };
  }),
};

import { nameOf } from '../../entities.ts';
import { clock } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { eachWorkload, replicasChange, shell, POD_TROUBLE } from '../../workload-states.ts';

/** Scaled down to nothing: its callers fail. */
export const scaledToZero: Mechanism = {
  id: 'scaled_to_zero',
  title: 'Scaled to zero',
  needs: ['changes'],
  recognise: eachWorkload((workload, moment) => {
    const scaled = replicasChange(workload, moment);
    if (scaled?.field.after !== '0') return null;
    const { change, field } = scaled;
    return {
      entities: [workload.entity],
      finding: `${nameOf(workload.entity)} has no pods since it was scaled to 0 at ${clock(change.at)}.`,
      since: change.at,
      change,
      specificity: 'broken',
      brings: POD_TROUBLE,
      evidence: [`replicas ${field.before ?? 'none'} → 0`],
      next: 'Scale it up again.',
      command: `kubectl -n ${shell(workload.ref.namespace ?? 'default')} scale ${workload.ref.kind.toLowerCase()}/${shell(workload.ref.name)} --replicas=${shell(field.before ?? '1')}`,
    };
  }),
};

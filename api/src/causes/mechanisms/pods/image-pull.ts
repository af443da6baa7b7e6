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

const PULL_REASONS = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
]);

export const imagePull: Mechanism = {
  id: 'image_pull_failure',
  title: 'Image cannot be pulled',
  needs: ['pods'],
  recognise: eachWorkload((workload, moment) => {
    const [waiting] = containersOf(workload, ({ reason }) => reason !== null && PULL_REASONS.has(reason));
    if (waiting === undefined) return null;
    const { pod, container } = waiting;
    const [said] = eventsOf(workload, /^(?:Failed|ErrImagePull|BackOff|InspectFailed)$/, /image|pull/i);
    const change = templateChange(workload, moment, /\.image$/);
    return {
      entities: [workload.entity],
      finding: `The image ${container.image} of ${nameOf(workload.entity)} cannot be pulled.`,
      since: change?.at ?? said?.firstAt ?? pod.createdAt,
      change,
      specificity: 'stated',
      brings: POD_TROUBLE,
      evidence: [
        `${container.reason ?? ''} of pod ${pod.name}`,
        said !== undefined && { text: quoted(said.message), at: said.lastAt },
      ],
      next: 'Check name and tag of the image, and whether the pod has an imagePullSecret for its registry.',
      command: change === undefined ? null : undoCommand(workload),
    };
  }),
};

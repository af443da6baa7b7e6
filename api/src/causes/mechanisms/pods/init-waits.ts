import { nameOf } from '../../entities.ts';
import type { Mechanism } from '../../mechanism.ts';
import { quoted } from '../../words.ts';
import {
  containersOf,
  eachWorkload,
  POD_TROUBLE,
  shell,
  templateChange,
  textsOf,
  undoCommand,
} from '../../workload-states.ts';

/** Shorter is a usual start. */
const WAIT_SECONDS = 120;

export const initWaits: Mechanism = {
  id: 'init_waits',
  title: 'Init container does not end',
  needs: ['pods'],
  recognise: eachWorkload((workload, moment) => {
    const [waiting] = containersOf(
      workload,
      ({ isInit, status, reason, end }, { phase, createdAt }) =>
        isInit &&
        phase === 'Pending' &&
        moment.evidence.now - createdAt > WAIT_SECONDS &&
        ((status === 'running' && end?.exitCode !== 0) || /CrashLoop|BackOff|Error/.test(reason ?? '')),
    );
    if (waiting === undefined) return null;
    const { pod, container } = waiting;
    const change = templateChange(workload, moment, /initContainers|serviceAccount|env/);
    const [said] = textsOf(
      workload,
      moment,
      (text) => text.includes(container.name) || /wait|resolve|connect|forbidden/i.test(text),
    );
    return {
      entities: [workload.entity],
      finding: `${nameOf(workload.entity)} does not start: its init container ${container.name} does not end.`,
      since: change?.at ?? pod.createdAt,
      change,
      specificity: 'broken',
      brings: POD_TROUBLE,
      is: 'missing',
      evidence: [
        `init container ${container.name} of ${pod.name} is ${container.reason ?? container.status}`,
        said !== undefined && { text: quoted(said.text), at: said.at },
      ],
      next: 'Read what the init container waits for.',
      command:
        change === undefined
          ? `kubectl -n ${shell(pod.namespace)} logs ${shell(pod.name)} -c ${shell(container.name)}`
          : undoCommand(workload),
    };
  }),
};

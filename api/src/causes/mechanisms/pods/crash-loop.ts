import { nameOf } from '../../entities.ts';
import { HOUR } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { quoted } from '../../words.ts';
import { containersOf, eachWorkload, eventsOf, shell, textsOf } from '../../workload-states.ts';

/** Fewer ends than these are no loop. */
const LOOP_ENDS = 3;

/** It ends again and again, and nothing says why. */
export const crashLoop: Mechanism = {
  id: 'crash_loop',
  title: 'Crash loop',
  needs: ['pods'],
  recognise: eachWorkload((workload, moment) => {
    const looping = containersOf(workload, ({ reason }) => /CrashLoop|BackOff/.test(reason ?? ''));
    const ends = workload.pods
      .flatMap(({ restarts }) => restarts)
      .filter(({ at }) => at > moment.firstAt - 24 * HOUR)
      .toSorted((a, b) => a.at - b.at);
    const failed =
      workload.pods.some(({ phase }) => phase === 'Failed') ||
      eventsOf(workload, /^(?:BackoffLimitExceeded|DeadlineExceeded)$/).length > 0;
    const alarmed = moment.symptoms.some(({ key, aspects }) => key === workload.key && aspects.includes('crash'));
    if (looping.length === 0 && ends.length < LOOP_ENDS && !failed) return null;
    if (looping.length === 0 && !failed && !alarmed) return null;
    const [said] = textsOf(workload, moment, () => true);
    const code = looping[0]?.container.end?.exitCode ?? ends.at(-1)?.exitCode ?? null;
    const [pod] = [...looping.map((one) => one.pod), ...workload.pods];
    return {
      entities: [workload.entity],
      finding: `A container of ${nameOf(workload.entity)} ${failed && looping.length === 0 ? 'ended with an error' : 'restarts again and again'}.`,
      since: ends[0]?.at ?? looping[0]?.container.end?.at ?? null,
      specificity: 'state',
      brings: ['crash', 'failing', 'missing', 'cpu', 'start'],
      is: 'crash',
      evidence: [
        `${String(ends.length)} restarts within a day of the alert`,
        code !== null && `last exit code ${String(code)}`,
        said !== undefined && { text: quoted(said.text), at: said.at },
      ],
      next: 'Read the log of its last run. No change of it was recorded before.',
      command: pod === undefined ? null : `kubectl -n ${shell(pod.namespace)} logs --previous ${shell(pod.name)}`,
    };
  }),
};

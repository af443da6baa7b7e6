import { nameOf } from '../../entities.ts';
import { clock, fixed } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { eachWorkload, templateChange, undoCommand } from '../../workload-states.ts';

/** A program needs minutes to leak its limit full; one that is killed at once never fitted. */
const AT_ONCE_SECONDS = 300;
const DAY = 86_400;

export const memoryLimit: Mechanism = {
  id: 'out_of_memory',
  title: 'Memory limit below what it uses',
  needs: ['pods'],
  recognise: eachWorkload((workload, moment) => {
    const isRecent = (at: number): boolean => at <= moment.lastAt + 3600 && at > moment.firstAt - DAY;
    const kills = workload.pods
      .flatMap((pod) => [
        ...pod.restarts.filter(({ reason }) => reason === 'OOMKilled'),
        ...pod.containers.flatMap(({ end, memoryLimitMb }) =>
          end?.reason === 'OOMKilled' && end.at !== null
            ? [{ at: end.at, reason: end.reason, exitCode: end.exitCode, memoryLimitMb }]
            : [],
        ),
      ])
      .filter(({ at }) => isRecent(at))
      .toSorted((a, b) => b.at - a.at);
    const distinct = [...new Map(kills.map((kill) => [Math.round(kill.at / 2), kill])).values()];
    const [last] = distinct;
    if (last === undefined) return null;
    const first = distinct.at(-1) ?? last;
    const found = templateChange(workload, moment, /resources|image|env|args|command/);
    const change = found !== undefined && found.at <= first.at + 120 ? found : undefined;
    const limitMb = distinct.find(({ memoryLimitMb }) => memoryLimitMb !== null)?.memoryLimitMb ?? null;
    const gaps = distinct.slice(1).map(({ at }, index) => (distinct[index]?.at ?? at) - at);
    const apart = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? null;
    return {
      entities: [workload.entity],
      finding: `${nameOf(workload.entity)} uses more memory than its limit${limitMb === null ? '' : ` of ${fixed(limitMb, 0)} MB`} and is killed.`,
      since: change?.at ?? first.at,
      change,
      specificity: 'stated',
      brings: ['crash', 'memory_kill', 'failing', 'missing', 'start', 'memory'],
      evidence: [
        { text: `${String(distinct.length)} kills for memory, the last at ${clock(last.at)}`, at: last.at },
        limitMb !== null && `limit ${fixed(limitMb, 0)} MB`,
        apart !== null &&
          `${fixed(apart / 60, 0)} min apart: ${apart <= AT_ONCE_SECONDS ? 'it never fitted' : 'it fills up over that time'}`,
      ],
      next: 'Raise the memory limit, or find what grows in the container.',
      command: change === undefined ? null : undoCommand(workload),
    };
  }),
};

import type { ContainerState } from '@plimsoll/contract/rules/container-states';
import type { ContainerPart } from '@plimsoll/contract/wire/container-part';

export const STATE_WORDS: Record<ContainerState, string> = {
  restarting: 'Restarting',
  unhealthy: 'Unhealthy',
  dead: 'Dead',
  exited: 'Exited',
  running: 'Running',
  paused: 'Paused',
  created: 'Created',
};

type Stated = Pick<ContainerPart, 'state' | 'exit_code' | 'oom_killed'>;

/** Returns the state in words: "OOM-killed", "Exited 1". */
export function partStateWords({ state, exit_code: code, oom_killed: oomKilled }: Stated): string {
  if (state === undefined) return 'Not known';
  if (state !== 'exited') return STATE_WORDS[state];
  if (oomKilled === true) return 'OOM-killed';
  return code == null ? STATE_WORDS.exited : `Exited ${code}`;
}

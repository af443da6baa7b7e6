import type { LikelyCause } from '@plimsoll/contract/wire/causes';

/** The words of a cause: what it says and what it shows. */
export const wordsOf = (cause: LikelyCause | undefined): string =>
  cause === undefined ? '' : [cause.finding, ...cause.evidence.map(({ text }) => text)].join('; ');

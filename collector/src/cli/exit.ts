import { EXIT_ENROLMENT_DEAD } from '@plimsoll/contract/rules/limits';

/** Exit statuses of every command, as documented in `plimsoll --help`. */
export const EXIT = {
  ok: 0,
  failed: 1,
  /** Wrong use, or a setting that cannot be used (sysexits EX_USAGE). */
  usage: 64,
  /** Enrolment refused or server deleted: starting again would not help, the unit does not restart on it. */
  enrolmentDead: EXIT_ENROLMENT_DEAD,
} as const;

import type { HiddenKind } from '@plimsoll/contract/rules/servers/hidden-parts';

/** A part of a server that neither alerts nor counts in its headroom. */
export interface HiddenPart {
  kind: HiddenKind;
  /** The subject of its alerts. */
  subject: string;
  /** Epoch milliseconds. */
  hiddenAt: number;
}

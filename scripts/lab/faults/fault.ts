import type { DebianProgram } from '../../../api/src/testing/debian-programs.ts';

/** A fault that the product has to survive, and what surviving means. */
export interface Fault {
  name: string;
  /** The harm, in words for the table in docs/reliability.md. */
  does: string;
  /** Minutes that it takes. */
  minutes: number;
  /** Programs of Debian that are unpacked for it. */
  programs?: readonly DebianProgram[];
  /** Other missing programs or rights: why the fault cannot be run here, and the remedy. */
  missing?(): string | null;
  run(options: FaultOptions): Promise<Verdict>;
}

interface FaultOptions {
  /** Runs a part that takes at most a minute. */
  isQuick: boolean;
  log: (line: string) => void;
}

export interface Verdict {
  isHeld: boolean;
  /** The measured figures, with units. */
  figures: string;
}

import type { Report } from '@plimsoll/contract/wire/report';

/** The fields a source may fill; what it cannot read it leaves out. */
export type Part = Partial<Omit<Report, 'seq' | 'ts' | 'up' | 'kind' | 'window_seconds' | 'agent'>>;

/** One moment by both clocks of the host. */
export interface Moment {
  /** Wall clock, epoch seconds; may jump. */
  ts: number;
  /** Seconds since boot, suspend included; never jumps within a boot. */
  up: number;
}

export interface Taken {
  part: Part;
  /** Why the part is thinner than it could be, for a person; absent when nothing is missing. */
  note?: string;
}

/** One reader of one kind of figure. It throws when it has nothing to give: the report goes out without its part. */
export interface Source {
  /** At most 32 characters; the key in `agent.sources`. */
  readonly name: string;
  /** Set by a source that compares nothing with its reading before: to begin, it needs none. */
  readonly instant?: true;
  read(now: Moment): Promise<Taken>;
}

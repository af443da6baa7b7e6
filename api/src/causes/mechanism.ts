import type { CauseEntity } from '@plimsoll/contract/wire/causes';
import type { ChangeSeen } from './evidence.ts';
import type { Aspect } from './aspects.ts';
import type { Moment } from './moment.ts';

/**
 * How specific a finding is. A system that states its reason, and a relation that is visibly broken, explain more than
 * a change that merely came before.
 */
export const SPECIFICITY = {
  /** The system itself names this thing as the reason. */
  stated: 1,
  /** A relation between two things does not hold: a port, a selector, a limit. */
  broken: 0.9,
  /** It changed, and then it failed. */
  changed: 0.7,
  /** It is in a bad state, for no recognised reason. */
  state: 0.5,
  /** A change came before; nothing else connects the two. */
  before: 0.3,
} as const;
export type Specificity = keyof typeof SPECIFICITY;

interface EvidenceText {
  text: string;
  at?: number | null;
  href?: string | null;
}

/** A line of evidence; false or nothing: that part is not known. */
type Shown = EvidenceText | string | false | null | undefined;

/** Something that may explain symptoms. */
export interface Candidate {
  /** The guilty ones, the first is the main one. Few: victims do not belong here. */
  entities: readonly CauseEntity[];
  /** One sentence that names the cause. */
  finding: string;
  /** When it began; null: not known. */
  since: number | null;
  change?: ChangeSeen | undefined;
  specificity: Specificity;
  /** Trouble that it brings to its entities and what `reaches` lists. */
  brings: readonly Aspect[];
  /** The trouble that it is itself: whatever brings that about is behind it. Absent: it stands for itself. */
  is?: Aspect | undefined;
  /** Another kind than that of its mechanism. */
  as?: { id: string; title: string } | undefined;
  /** Entities that it acts on directly, beyond what the graph connects. */
  reaches?: readonly CauseEntity[] | undefined;
  evidence: readonly Shown[];
  against?: readonly string[];
  next: string;
  /** Line for a shell; null: none. Left out: the undo, or the description, of the guilty one. */
  command?: string | null | undefined;
}

/** One way in which things fail: one file, one shape. */
export interface Mechanism {
  id: string;
  title: string;
  recognise: (moment: Moment) => readonly Candidate[];
}

/** Makes mechanisms that look at each thing of a kind by itself: a server, a workload, a Service. */
export const each =
  <T, Finding>(
    things: (moment: Moment) => readonly T[],
    candidateOf: (thing: T, found: Finding, moment: Moment) => Candidate,
  ) =>
  (id: string, title: string, find: (thing: T, moment: Moment) => Finding | null): Mechanism => ({
    id,
    title,
    recognise: (moment) =>
      things(moment).flatMap((thing) => {
        const found = find(thing, moment);
        return found === null ? [] : [candidateOf(thing, found, moment)];
      }),
  });

import type { Parts, Threshold } from './question-parts.ts';
import type { Period } from './period.ts';
import type { Term } from './words.ts';

/** Things that an answer can be about. */
type Subject =
  | 'servers'
  | 'server'
  | 'totals'
  | 'idle'
  | 'comparison'
  | 'alerts'
  | 'events'
  | 'changes'
  | 'cause'
  | 'rules'
  | 'checks'
  | 'maintenance'
  | 'silences'
  | 'hardware'
  | 'updates'
  | 'processes'
  | 'containers'
  | 'pods'
  | 'nodes'
  | 'namespaces'
  | 'workloads'
  | 'clusters'
  | 'kubernetes_events'
  | 'capacity'
  | 'loss'
  | 'history'
  | 'network'
  | 'statistics'
  | 'forecast'
  | 'headroom';

/** A question as the tool that answers it, and what its answer must say. */
export interface Understood {
  subject: Subject;
  tool: string;
  input: Record<string, unknown>;
  /** Figures that the question names; empty: none. */
  figures: readonly string[];
  /** Other words that choose a part of the answer: facts of a server, kinds of checks, a statistic. */
  terms: ReadonlySet<Term>;
  /** The answer is a number of things. */
  isCount: boolean;
  /** Number of rows in the question. */
  limit: number;
  threshold: Threshold | null;
  period: Period | null;
  /** Program that processes must be of. */
  program: string | null;
  names: readonly string[];
  /** Name of the cluster that the answer is about; undefined: the question names none. */
  cluster?: string;
}

/** A question that is read, but not yet answered by a tool. */
export interface Asked extends Parts {
  has: (...terms: Term[]) => boolean;
  figures: readonly ServerFigure[];
  isCount: boolean;
  order: 'highest' | 'lowest';
  /** The word of the question that stands for a term. */
  wordOf: (term: Term) => string;
}

/** The threshold of a question, as the tools take it. */
export const boundsOf = (threshold: Threshold | null): Record<string, number> =>
  threshold === null ? {} : { [threshold.side === 'over' ? 'above' : 'below']: threshold.value };

/**
 * Returns a word for the size of a thing, where an answer ranks by its use: the biggest disk is not the fullest. Null: the
 * question says that it means the use, or has no such word.
 */
export const sizeWordOf = ({ has, figures, words }: Asked): string | null =>
  has('use', 'consume', 'free') || !['disk', 'memory'].includes(figures[0] ?? '')
    ? null
    : (words.find((word) => /^(?:big|larg|small)(?:ger|gest|er|est)$|^largest$|^kleinste|^größte/.test(word)) ?? null);

/** The words and the tool of an answer. A question with another word is another question. */
export interface Plan {
  subject: Subject;
  tool: string;
  input?: Record<string, unknown>;
  reads: readonly Term[];
  /** Parts of the question that the tool takes. */
  takes?: readonly ('names' | 'period' | 'threshold' | 'size' | 'namespace' | 'program' | 'place' | 'figures')[];
  isCount?: boolean;
}

/** Figures by which servers are ranked; the first that the question names. */
const SERVER_FIGURES = ['temperature', 'io_wait', 'iops', 'swap', 'memory', 'disk', 'cpu', 'network', 'load'] as const;
export type ServerFigure = (typeof SERVER_FIGURES)[number];

/** Words beside a figure that name no second one: "CPU load", "disk operations". */
const BESIDE: Record<ServerFigure, readonly Term[]> = {
  temperature: ['cpu'],
  io_wait: ['disk', 'cpu'],
  iops: ['disk', 'io_wait'],
  swap: ['memory'],
  memory: ['load', 'busy'],
  disk: [],
  cpu: ['load', 'busy'],
  network: ['load', 'send', 'receive', 'busy'],
  load: ['busy', 'average'],
};
/** Terms of the figures of a question, with those that only stand beside them. */
export const figureTerms = (figures: readonly ServerFigure[]): Term[] =>
  figures.flatMap((figure) => [figure, ...BESIDE[figure]]);

export function figuresOf(terms: ReadonlySet<Term>): ServerFigure[] {
  const named = SERVER_FIGURES.filter((figure) => terms.has(figure));
  const figures = named.filter(
    (figure) => !named.some((other) => other !== figure && (BESIDE[other] as readonly string[]).includes(figure)),
  );
  if (figures.length > 0) return figures;
  if (terms.has('send') || terms.has('receive')) return ['network'];
  return terms.has('busy') ? ['cpu'] : [];
}

/** CPU or memory of processes, containers, pods and nodes. */
export const usageOf = ({ has }: Pick<Asked, 'has'>): 'cpu' | 'memory' | null =>
  has('memory') ? 'memory' : has('cpu', 'busy') ? 'cpu' : null;
export const usageTerms = (asked: Pick<Asked, 'has'>): Term[] =>
  usageOf(asked) === 'memory' ? ['memory'] : ['cpu', 'busy', 'load'];

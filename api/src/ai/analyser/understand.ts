import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import {
  figuresOf,
  figureTerms,
  sizeWordOf,
  usageOf,
  usageTerms,
  type Asked,
  type Plan,
  type Understood,
} from './asked.ts';
import { podsPlan } from './plan-pods.ts';
import { updatesPlan } from './plan-updates.ts';
import { hardwarePlan, serverPlan } from './plan-servers.ts';
import { readQuestion, sizeWords, type Parts } from './question-parts.ts';
import { pronounOf } from './thread.ts';
import { termOf, type Term } from './words.ts';

const DEFAULT_ROWS = 10;
const DAY_MINUTES = 1440;
const WEEK_MINUTES = 10_080;

/** A question that is understood, or the words that no answer takes account of. */
export interface Reading {
  understood: Understood | null;
  /** Words that a wrong answer would leave out. */
  unread: readonly string[];
}

function processPlan(asked: Asked): Plan | null {
  const { has, program, names, period } = asked;
  const isFact = has('os', 'kernel', 'version', 'agent');
  const isAbout =
    has('process') ||
    program !== null ||
    (has('consume') && !has('server', 'disk', 'network')) ||
    (has('running') && names.length > 0);
  if (!isAbout || isFact) return null;
  // The lists of a moment are those of one server.
  const isMoment = period !== null && period.to - period.from === HOUR_SECONDS && names.length === 1;
  const at = isMoment ? (period.from + period.to) / 2 : undefined;
  return {
    subject: 'processes',
    tool: 'top_processes',
    input: { by: usageOf(asked) ?? 'cpu', server: names[0], program, at },
    reads: [
      'process',
      'consume',
      'running',
      'top',
      'who',
      ...usageTerms(asked),
      ...(names.length > 0 || program !== null ? (['server'] as const) : []),
    ],
    takes: isMoment ? ['names', 'period'] : ['names', 'program'],
  };
}

/** An error is a level of alerts; what fails is any alert. */
const levelOf = ({ has, words }: Asked): string | undefined =>
  has('critical')
    ? 'critical'
    : has('warning')
      ? 'warning'
      : words.some((word) => /^errors?$/.test(word))
        ? 'error'
        : undefined;

const acknowledgedOf = ({ has }: Asked): boolean | undefined =>
  has('acknowledged', 'unacknowledged') ? has('unacknowledged') === has('not') : undefined;

function alertPlan(asked: Asked): Plan | null {
  const { has, names, period, words } = asked;
  const [server] = names;
  if (has('rule'))
    return {
      subject: 'rules',
      tool: 'alert_rules',
      reads: ['rule', 'alert', ...figureTerms(asked.figures)],
      takes: ['figures'],
    };
  if (has('cause') && (has('alert') || server !== undefined || words.includes('root')))
    return {
      subject: 'cause',
      tool: 'likely_cause',
      input: { server },
      reads: ['cause', 'alert', 'offline', 'broken', 'failed', 'slow', 'server'],
      takes: ['names'],
    };
  if (has('change'))
    return {
      subject: 'changes',
      tool: 'changes',
      input: {
        server,
        source: words.some((word) => /^(?:deploy|rollout)/.test(word)) ? 'deploy' : undefined,
        ...(period === null && { minutes: WEEK_MINUTES }),
      },
      reads: ['change', 'happened', 'newest', 'since', 'who', ...(server === undefined ? [] : (['server'] as const))],
      takes: ['names', 'period'],
    };
  if (has('happened') && (has('cluster') || asked.namespace !== null)) return null;
  if (has('happened') && !has('alert'))
    return {
      subject: 'events',
      tool: 'activity',
      input: { server, ...(period === null && { minutes: DAY_MINUTES }) },
      reads: ['happened', 'newest', ...(server === undefined ? [] : (['server'] as const))],
      takes: ['names', 'period'],
    };
  if (!has('alert', 'critical', 'warning', 'acknowledged', 'unacknowledged') || has('cluster')) return null;
  return {
    subject: 'alerts',
    tool: 'list_alerts',
    input: {
      server,
      level: levelOf(asked),
      status: has('resolved') ? 'resolved' : undefined,
      acknowledged: acknowledgedOf(asked),
      order: has('oldest') ? 'oldest' : undefined,
    },
    reads: [
      'alert',
      'acknowledged',
      'unacknowledged',
      'oldest',
      'newest',
      ...(has('acknowledged', 'unacknowledged') ? (['who', 'not'] as const) : []),
      'critical',
      'warning',
      'resolved',
      'online',
      'since',
      'happened',
      ...(server === undefined ? [] : (['server'] as const)),
      ...(levelOf(asked) === 'error' ? (['failed'] as const) : []),
    ],
    takes: ['names', 'period'],
  };
}

function checkPlan(asked: Asked): Plan | null {
  const { has, names } = asked;
  if (has('maintenance'))
    return { subject: 'maintenance', tool: 'list_maintenance', reads: ['maintenance', 'pending', 'since'] };
  if (has('silence'))
    return { subject: 'silences', tool: 'list_silences', reads: ['silence', 'alert', 'online', 'since', 'who'] };
  if (!has('check', 'heartbeat', 'certificate')) return null;
  const isDown = has('offline', 'failed', 'broken') || (has('not') && has('online', 'health'));
  const isRanked = has('slow') && !has('cause', 'certificate', 'heartbeat');
  return {
    subject: 'checks',
    tool: 'list_checks',
    input: { status: isDown ? 'down' : undefined, search: names[0], by: isRanked ? 'slowest' : undefined },
    reads: [
      'check',
      'heartbeat',
      'certificate',
      'cause',
      'offline',
      'failed',
      'broken',
      'online',
      'health',
      'since',
      ...(isDown ? (['not'] as const) : []),
      ...(isRanked ? (['slow', 'top'] as const) : []),
      ...(has('certificate') ? (['forecast'] as const) : []),
    ],
    takes: ['names'],
  };
}

/** Without another noun, a failure is an alert, and a time means its statistics. */
function wholePlan(asked: Asked): Plan | null {
  const { has, figures, names, period } = asked;
  const isOnlyTime = period !== null && asked.terms.size === 0 && names.length < 2;
  const isSeveral = figures.length > 1 && (period !== null || has('history', 'average'));
  if (has('statistics') || isOnlyTime || isSeveral)
    return {
      subject: 'statistics',
      tool: 'figures_over_time',
      input: { server: names[0] },
      reads: [
        'statistics',
        'history',
        'average',
        ...figureTerms(figures),
        ...(names.length > 0 || !isSeveral ? (['server'] as const) : []),
      ],
      takes: ['names', 'period', 'figures'],
    };
  return null;
}
function lastPlan({ has }: Asked): Plan | null {
  return has('failed', 'broken', 'health')
    ? { subject: 'alerts', tool: 'list_alerts', reads: ['failed', 'broken', 'health'] }
    : null;
}

/** First match wins: what is narrow stands before what is wide. */
const PLANS = [checkPlan, updatesPlan, hardwarePlan, alertPlan, podsPlan, processPlan, wholePlan, serverPlan, lastPlan];

/** These change no answer: a list and a count have all rows. */
const EVERYWHERE: readonly Term[] = ['use', 'count', 'all'];
/** These need advice or a text, which no figure gives. */
const NEEDS_MODEL = /^(?:should|write|explain|how (?:to|do i|should i))\b/;

/** Returns the words of a question that an answer by this plan would leave out. */
function unreadOf(asked: Asked, plan: Plan): string[] {
  const { strange, names, period, threshold, namespace, program, place, limit } = asked;
  const takes = new Set<string>(plan.takes);
  const reads = new Set<Term>([...EVERYWHERE, ...plan.reads]);
  const most = plan.subject === 'comparison' || plan.subject === 'totals' ? names.length : 1;
  return [
    ...strange,
    ...[...asked.terms].filter((term) => !reads.has(term)).map((term) => asked.wordOf(term)),
    ...(takes.has('names') ? names.slice(most) : names),
    ...(takes.has('figures') ? [] : asked.figures.slice(1).map((figure) => asked.wordOf(figure))),
    ...(period !== null && !takes.has('period')
      ? [asked.words.filter((_word, index) => period.read.has(index)).join(' ')]
      : []),
    ...(threshold !== null && !takes.has(threshold.unit === null ? 'threshold' : 'size') ? [sizeWords(threshold)] : []),
    ...(namespace !== null && !takes.has('namespace') ? [namespace] : []),
    ...(plan.tool === 'rank_servers' ? [sizeWordOf(asked)].filter((word) => word !== null) : []),
    // A range has one highest server, not five.
    ...(limit !== null && plan.subject === 'history' ? [String(limit)] : []),
    ...(program !== null && !takes.has('program') ? [program] : []),
    ...(place !== null && !takes.has('place') ? [place] : []),
  ];
}

function askedOf(parts: Parts): Asked {
  const { terms, words } = parts;
  const has: Asked['has'] = (...wanted) => wanted.some((term) => terms.has(term));
  const isCount = /\bhow many\b|\bwie viele\b/.test(words.join(' ')) || has('count');
  const figures = figuresOf(terms);
  const isFree = has('free') !== has('least');
  // The least free is the most used.
  const order = (has('free') ? isFree && figures.length > 0 && has('top') : has('least')) ? 'lowest' : 'highest';
  return {
    ...parts,
    has,
    figures,
    isCount,
    order,
    wordOf: (term) => words.find((word) => termOf(word) === term) ?? term,
  };
}

/** Reads a question. `now`: epoch seconds. An answer is given only where it takes account of every word. */
export const readingOf = (question: string, now: number): Reading => readingOfParts(readQuestion(question, now));

/** Finds the plan for a question that is read. */
export function readingOfParts(parts: Parts): Reading {
  const pronoun = pronounOf(parts);
  if (pronoun !== null) return { understood: null, unread: [...parts.strange, pronoun] };
  const asked = askedOf(parts);
  if (NEEDS_MODEL.test(parts.words.join(' '))) return { understood: null, unread: parts.strange };
  const plans = PLANS.flatMap((planOf) => planOf(asked) ?? []);
  const [plan] = plans;
  if (plan === undefined) return { understood: null, unread: parts.strange };
  const unread = [...new Set(unreadOf(asked, plan))];
  if (unread.length > 0) return { understood: null, unread };
  const { subject, tool, input = {}, takes = [] } = plan;
  return {
    unread: [],
    understood: {
      subject,
      tool,
      input: Object.fromEntries(
        Object.entries({
          ...input,
          ...(takes.includes('period') && input['at'] === undefined && rangeInput(asked)),
        }).filter(([, value]) => value !== undefined && value !== null),
      ),
      figures: asked.figures,
      terms: asked.terms,
      isCount: plan.isCount ?? asked.isCount,
      limit: asked.limit ?? DEFAULT_ROWS,
      threshold: asked.threshold,
      period: asked.period,
      program: asked.program,
      names: asked.names,
    },
  };
}

function rangeInput({ period }: Asked): Record<string, unknown> {
  if (period === null) return {};
  return period.minutes === null ? { from: period.from, to: period.to } : { minutes: period.minutes };
}

/** Returns null for a question that needs a model. */
export const understand = (question: string, now = Date.now() / 1000): Understood | null =>
  readingOf(question, now).understood;

import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import { isPlainWord, termOf, wordsOf, type Term } from './words.ts';

/** Things that a question can be about. */
type Subject =
  | 'servers'
  | 'server'
  | 'alerts'
  | 'events'
  | 'processes'
  | 'containers'
  | 'pods'
  | 'nodes'
  | 'namespaces'
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
  /** Figure that the question names; null: none. */
  figure: string | null;
  /** The answer is a number of things. */
  isCount: boolean;
  /** Number of rows in the question. */
  limit: number;
}

const DEFAULT_ROWS = 10;
const MOST_ROWS = 20;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 1440;
const WEEK_MINUTES = 10_080;

interface Read {
  words: string[];
  terms: Set<Term>;
  limit: number | null;
  minutes: number | null;
  /** Name of a server, a namespace … that stands in the question. */
  name: string | null;
  /** Name of a namespace. */
  namespace: string | null;
}

const UNITS: Partial<Record<Term, number>> = { minute: 1, hour: HOUR_MINUTES, day: DAY_MINUTES, week: WEEK_MINUTES };

/** "last 6 hours", "past day", "24h", "today", "last night". */
function minutesOf(words: readonly string[]): number | null {
  for (const [index, word] of words.entries()) {
    const short = /^(\d+)(m|min|h|d|w)$/.exec(word);
    if (short !== null) {
      const unit = { m: 1, min: 1, h: HOUR_MINUTES, d: DAY_MINUTES, w: WEEK_MINUTES }[short[2] ?? 'h'] ?? HOUR_MINUTES;
      return Math.min(AI_LIMITS.maxRangeMinutes, Number(short[1]) * unit);
    }
    const unit = UNITS[termOf(word) ?? 'all'];
    if (unit === undefined || (word === 'min' && !/^\d+$/.test(words[index - 1] ?? ''))) continue;
    const before = words[index - 1] ?? '';
    if (/^\d+$/.test(before)) return Math.min(AI_LIMITS.maxRangeMinutes, Number(before) * unit);
    if (/^(last|past|previous|letzte[nrs]?|the|an?|one|this|per)$/.test(before)) return unit;
  }
  const terms = new Set(words.map(termOf));
  if (['night', 'today', 'yesterday'].some((term) => terms.has(term as Term))) return DAY_MINUTES;
  return null;
}

/** "top 5", "the 3 busiest", "5 servers". A number with a unit of time or per cent is none. */
function limitOf(words: readonly string[]): number | null {
  for (const [index, word] of words.entries()) {
    if (!/^\d{1,3}$/.test(word)) continue;
    const next = words[index + 1] ?? '';
    if (UNITS[termOf(next) ?? 'all'] !== undefined || next === 'percent') continue;
    const around = [words[index - 1] ?? '', next].map(termOf);
    if (around.some((term) => term !== null && term !== 'over')) return Math.max(1, Math.min(MOST_ROWS, Number(word)));
  }
  return null;
}

/** "web-1", "db-fra-01", "web1". */
const hasFormOfName = (word: string): boolean =>
  /^\p{L}[\p{L}\p{N}._-]*$/u.test(word) && (word.includes('-') || /\d/.test(word));

const isName = (word: string): boolean => hasFormOfName(word) && !isPlainWord(word) && word !== 'k8s';

/** A name stands out by its form, or behind "on" and its kin. */
function nameOf(words: readonly string[]): string | null {
  const formed = words.find(isName);
  if (formed !== undefined) return formed;
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (next === undefined || !/^(on|of|for|auf|von|named|called|server|host|machine)$/.test(word)) continue;
    // "the server gandalf", but not "which server limps most".
    if (/^(server|host|machine)$/.test(word) && index + 2 < words.length) continue;
    if (!isPlainWord(next) && termOf(next) === null && /\p{L}/u.test(next)) return next;
  }
  return null;
}

function namespaceOf(words: readonly string[]): string | null {
  const at = words.findIndex((word) => termOf(word) === 'namespace');
  const next = words[at + 1];
  const isOne = at >= 0 && next !== undefined && !isPlainWord(next) && termOf(next) === null;
  return isOne ? next : null;
}

/** Limit of the names that the tools accept. A longer word names nothing here. */
const MOST_NAME_CHARACTERS = 200;

function read(question: string): Read {
  const words = wordsOf(question).filter(({ length }) => length <= MOST_NAME_CHARACTERS);
  const terms = new Set(words.map(termOf).filter((term) => term !== null));
  // "last" is a word of time in English, and the load in German.
  if (words.includes('last') && !words.includes('load')) terms.delete('load');
  if (words.some((word) => word === 'coldest' || word === 'coolest')) terms.add('least');
  if (words.includes('up') && !/\bup\b(?! to)/.test(question)) terms.delete('online');
  const namespace = namespaceOf(words);
  return {
    words,
    terms,
    limit: limitOf(words),
    minutes: minutesOf(words),
    name: namespace ?? nameOf(words),
    namespace,
  };
}

/** Figures by which servers are ranked; the first that the question names. */
const SERVER_FIGURES = ['temperature', 'io_wait', 'iops', 'swap', 'memory', 'disk', 'cpu', 'network', 'load'] as const;
type ServerFigure = (typeof SERVER_FIGURES)[number];

function figureOf(terms: ReadonlySet<Term>): ServerFigure | null {
  // "CPU load" is the CPU.
  const named = SERVER_FIGURES.find((figure) => terms.has(figure));
  if (named !== undefined) return named;
  if (terms.has('send') || terms.has('receive')) return 'network';
  return terms.has('busy') ? 'cpu' : null;
}

type Has = (...terms: Term[]) => boolean;
interface Asked extends Read {
  has: Has;
  figure: ServerFigure | null;
  isCount: boolean;
  order: 'highest' | 'lowest';
}

const make = (
  { isCount, limit, figure }: Asked,
  subject: Subject,
  tool: string,
  input: Record<string, unknown> = {},
): Understood => ({
  subject,
  tool,
  input: Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== null)),
  figure,
  isCount,
  limit: limit ?? DEFAULT_ROWS,
});

/** CPU or memory of processes, containers, pods and nodes. */
const usage = ({ has }: Asked): 'cpu' | 'memory' | null =>
  has('memory') ? 'memory' : has('cpu', 'busy') ? 'cpu' : null;

function ofPods(asked: Asked): Understood {
  const { has, namespace, order } = asked;
  const phase = has('pending')
    ? 'Pending'
    : has('failed')
      ? 'Failed'
      : has('running') && !has('not')
        ? 'Running'
        : undefined;
  const state =
    phase === undefined && has('not', 'broken') && has('running', 'ready', 'health', 'broken') ? true : undefined;
  const by = usage(asked) ?? (has('restarts') ? 'restarts' : undefined);
  return make(asked, 'pods', 'rank_pods', {
    by: by ?? (state === true ? 'state' : 'restarts'),
    namespace,
    phase,
    unhealthy: state,
    order: order === 'lowest' ? order : undefined,
  });
}

function ofNodes(asked: Asked): Understood {
  const { has, order } = asked;
  const ready = has('ready', 'health', 'offline', 'online') ? !has('not', 'offline') : undefined;
  const by = usage(asked) ?? (has('disk') ? 'disk' : has('pod') ? 'pods' : 'headroom');
  // "How many pods does each node have?" counts pods, and lists nodes.
  const isCount = asked.isCount && by !== 'pods';
  return make({ ...asked, isCount }, 'nodes', 'rank_nodes', {
    by,
    order: order === 'lowest' ? order : undefined,
    // A count needs all of them, ready or not.
    ready: asked.isCount ? undefined : ready,
  });
}

function ofContainers(asked: Asked): Understood {
  const { has, name } = asked;
  const by = usage(asked) ?? (has('restarts') ? 'restarts' : 'worst');
  const state =
    has('broken', 'failed') || (has('not') && has('health', 'running'))
      ? 'broken'
      : has('running') && !asked.isCount
        ? 'running'
        : undefined;
  return make(asked, 'containers', 'list_containers', { by, state, server: name });
}

function ofAlerts(asked: Asked): Understood {
  const { has, minutes, name } = asked;
  if (has('happened') && !has('alert'))
    return make(asked, 'events', 'activity', { server: name, minutes: minutes ?? DAY_MINUTES });
  return make(asked, 'alerts', 'list_alerts', {
    server: name,
    level: has('critical') ? 'critical' : has('warning') ? 'warning' : has('failed') ? 'error' : undefined,
    status: has('resolved') ? 'resolved' : undefined,
    minutes: minutes ?? undefined,
  });
}

function ofServers(asked: Asked): Understood | null {
  const { has, figure, name, minutes, order } = asked;
  const isStatus = has('offline', 'online', 'update') || (has('health') && has('server'));
  if (name !== null && (figure === null || minutes === null)) {
    if (figure === 'network') return make(asked, 'network', 'network_over_time', { server: name, minutes });
    return make(asked, 'server', 'server_details', { server: name });
  }
  if (
    figure !== null &&
    (minutes !== null || (has('history') && !has('top', 'least'))) &&
    figure !== 'network' &&
    figure !== 'temperature'
  )
    return make(asked, 'history', 'figures_over_time', { figure, server: name, minutes, chart: true });
  if (figure === 'network' && !has('top', 'least', 'server', 'who', 'send', 'receive'))
    return make(asked, 'network', 'network_over_time', { server: name, minutes });
  if (figure === 'network' && minutes !== null)
    return make(asked, 'network', 'network_over_time', { server: name, minutes });
  if (figure === 'disk' && has('forecast')) return make(asked, 'forecast', 'disk_forecast', {});
  if (figure !== null) {
    const by = figure === 'network' ? (has('receive') ? 'receive' : has('send') ? 'transmit' : 'network') : figure;
    return make(asked, 'servers', 'rank_servers', { by, order: order === 'lowest' ? order : undefined });
  }
  if (has('headroom')) return make(asked, 'headroom', 'list_servers', {});
  if (isStatus || has('server')) {
    const status = has('offline') || (has('not') && has('online')) ? 'offline' : undefined;
    return make(asked, 'servers', 'list_servers', { status: asked.isCount ? undefined : status });
  }
  return null;
}

/** These need a reason, advice or a text, which no figure gives. */
const NEEDS_MODEL = /^(?:why|warum|wieso|should|write|explain|how (?:to|do i|should i))\b/;

/** First match wins: what is narrow stands before what is wide. Returns null for a question that needs a model. */
export function understand(question: string): Understood | null {
  const parts = read(question);
  const { terms, words } = parts;
  if (NEEDS_MODEL.test(words.join(' '))) return null;
  const has: Has = (...wanted) => wanted.some((term) => terms.has(term));
  const isCount = /\bhow many\b|\bwie viele\b/.test(words.join(' ')) || has('count');
  const isFree = has('free') !== has('least');
  const figure = figureOf(terms);
  // The least free is the most used.
  const order = (has('free') ? isFree && figure !== null && has('top') : has('least')) ? 'lowest' : 'highest';
  const asked: Asked = { ...parts, has, figure, isCount, order };
  if (has('namespace') && parts.namespace === null)
    return make(asked, 'namespaces', 'rank_namespaces', {
      by: usage(asked) ?? (has('restarts') ? 'restarts' : 'pods'),
    });
  if (has('node')) return ofNodes(asked);
  if (has('pod') || has('namespace')) return ofPods(asked);
  if (has('container')) return ofContainers(asked);
  const isAboutProcesses = has('process') || has('consume') || (has('running') && parts.name !== null);
  if (isAboutProcesses && !has('server', 'disk', 'network'))
    return make(asked, 'processes', 'top_processes', { by: usage(asked) ?? 'cpu', server: parts.name });
  if (has('process'))
    return make(asked, 'processes', 'top_processes', { by: usage(asked) ?? 'cpu', server: parts.name });
  if (has('alert', 'critical', 'warning', 'happened')) return ofAlerts(asked);
  if (has('statistics') || (parts.minutes !== null && figure === null && !has('server', 'offline', 'online')))
    return make(asked, 'statistics', 'figures_over_time', { minutes: parts.minutes });
  const servers = ofServers(asked);
  if (servers !== null) return servers;
  if (has('cluster', 'workload')) return ofPods(asked);
  if (has('restarts')) return ofPods(asked);
  if (has('failed')) return ofAlerts(asked);
  return null;
}

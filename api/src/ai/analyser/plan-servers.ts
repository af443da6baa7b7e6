import { boundsOf, figureTerms, type Asked, type Plan } from './asked.ts';
import type { Term } from './words.ts';

/** Facts of one server that a question may name. */
export const SERVER_FACTS = [
  'os',
  'kernel',
  'version',
  'agent',
  'core',
  'region',
  'uptime',
  'added',
  'unit',
  'headroom',
] as const satisfies readonly Term[];

const SERIES: readonly string[] = ['cpu', 'memory', 'disk', 'io_wait', 'iops', 'swap', 'load'];
const isOfSeries = (figure: string | undefined): figure is string => figure !== undefined && SERIES.includes(figure);
/** Returns true for a question about the course of a figure. */
const isHistory = ({ has, period }: Asked): boolean => period !== null || has('history', 'average');

function comparison({ names, figures, has }: Asked): Plan {
  return {
    subject: 'comparison',
    tool: 'compare_servers',
    input: { servers: names },
    reads: [
      'compare',
      'server',
      'top',
      'over',
      'statistics',
      'average',
      'history',
      ...figureTerms(figures),
      ...(has('busy') ? (['busy'] as const) : []),
    ],
    takes: ['names', 'period', 'figures'],
  };
}

/** One server that the question names. */
function namedPlan(asked: Asked): Plan {
  const { has, figures, names } = asked;
  const [figure] = figures;
  const [server] = names;
  if (names.length > 1) return comparison(asked);
  if (figure === 'disk' && has('forecast'))
    return {
      subject: 'forecast',
      tool: 'disk_forecast',
      input: { server },
      reads: ['disk', 'forecast', 'since', 'server'],
      takes: ['names'],
    };
  if (figure === 'network' || has('connection'))
    return {
      subject: 'network',
      tool: 'network_over_time',
      input: { server },
      reads: [
        ...(['network', 'connection', 'send', 'receive', 'server', 'history', 'average', 'top', 'busy'] as const),
        ...(has('connection') ? (['online'] as const) : []),
      ],
      takes: ['names', 'period'],
    };
  if (isOfSeries(figure) && isHistory(asked)) return historyPlan(asked);
  return {
    subject: 'server',
    tool: 'server_details',
    input: { server },
    reads: [
      'server',
      'free',
      'top',
      'over',
      'total',
      'consume',
      'offline',
      'online',
      'since',
      'update',
      'health',
      'running',
      'busy',
      ...SERVER_FACTS,
      ...(has('unit') ? (['failed', 'broken'] as const) : []),
      ...figureTerms(figures),
    ],
    takes: figures.length === 1 ? ['names', 'figures', 'threshold'] : ['names', 'figures'],
  };
}

function historyPlan(asked: Asked): Plan {
  const { has, figures, names } = asked;
  // The API returns the server of the highest moment for these figures only.
  const hasPeak = has('top') && ['cpu', 'memory', 'disk'].includes(figures[0] ?? '');
  return {
    subject: 'history',
    tool: 'figures_over_time',
    input: { figure: figures[0], server: names[0], chart: true },
    // Which server was highest in a time is another question than how the average of all went.
    reads: [
      'history',
      'average',
      'top',
      'least',
      'statistics',
      'percentile',
      ...figureTerms(figures),
      ...(names.length > 0 || hasPeak || !has('top', 'least', 'who') ? (['server'] as const) : []),
      ...(hasPeak ? (['who', 'consume'] as const) : []),
    ],
    takes: ['names', 'period'],
  };
}

const rankOf = (figure: string, has: Asked['has']): string =>
  figure !== 'network' ? figure : has('receive') ? 'receive' : has('send') ? 'transmit' : 'network';

function rankPlan(asked: Asked, figure: string): Plan {
  const { has, order, threshold, figures } = asked;
  // "Most free memory" is of bytes: 10 % of a large server are more than half of a small one.
  const isFree = figure === 'memory' && has('free') && threshold === null;
  const isLowest = isFree ? has('least') : order === 'lowest' || threshold?.side === 'under';
  return {
    subject: 'servers',
    tool: 'rank_servers',
    input: {
      by: isFree ? 'free_memory' : rankOf(figure, has),
      order: isLowest ? 'lowest' : undefined,
      ...boundsOf(threshold),
    },
    reads: [
      'server',
      'who',
      'top',
      'least',
      'free',
      'consume',
      ...(figure === 'network' ? (['send', 'receive'] as const) : []),
      ...figureTerms(figures),
    ],
    takes: ['threshold'],
  };
}

/** Figures of all servers. */
function figurePlan(asked: Asked): Plan | null {
  const { has, figures, period } = asked;
  const [figure] = figures;
  if (has('core') || (has('total') && (figure === 'memory' || figure === 'disk')))
    return {
      subject: 'totals',
      tool: 'list_servers',
      reads: ['core', 'total', 'server', 'memory', 'disk', 'cpu', 'use'],
      takes: ['figures'],
    };
  if (figure === undefined) return null;
  if (figure === 'disk' && has('forecast'))
    return { subject: 'forecast', tool: 'disk_forecast', reads: ['disk', 'forecast', 'server', 'top', 'since'] };
  if (isOfSeries(figure) && isHistory(asked)) return historyPlan(asked);
  if (figure === 'network' && (period !== null || !has('top', 'least', 'server', 'who', 'send', 'receive')))
    return {
      subject: 'network',
      tool: 'network_over_time',
      reads: ['network', 'send', 'receive', 'history', 'average', 'total', 'connection'],
      takes: ['period'],
    };
  return rankPlan(asked, figure);
}

/** Which servers there are, and their states. */
function listPlan(asked: Asked): Plan | null {
  const { has, isCount, place } = asked;
  const isSilent = has('offline') !== (has('not') && has('offline', 'online'));
  const status = has('uninstalled')
    ? 'uninstalled'
    : has('offline', 'online')
      ? isSilent
        ? 'offline'
        : 'active'
      : undefined;
  if (!has('server', 'offline', 'online', 'uninstalled')) return null;
  return {
    subject: 'servers',
    tool: 'list_servers',
    input: { status: isCount && place === null ? undefined : status, search: place ?? undefined },
    reads: [
      'server',
      'offline',
      'online',
      'uninstalled',
      'health',
      'update',
      ...(has('offline', 'online') ? (['not'] as const) : []),
      // The list has the last report of each.
      ...(isSilent && status === 'offline' ? (['since'] as const) : []),
      ...(place === null ? [] : (['region'] as const)),
    ],
    takes: ['place'],
  };
}

const HARDWARE = {
  gpu: 'gpus',
  raid: 'raid',
  smart: 'drives',
  fan: 'fans',
  battery: 'power',
  unit: 'failed_units',
} as const;
const WORSE = ['health', 'broken', 'failed', 'running', 'online'] as const satisfies readonly Term[];

/** Plans for parts that only the details of a server have. */
export function hardwarePlan({ has, names, terms }: Asked): Plan | null {
  const isDrive = has('disk') && has('health', 'broken', 'failed');
  const part =
    (Object.keys(HARDWARE) as (keyof typeof HARDWARE)[]).find((term) => terms.has(term)) ?? (isDrive ? 'smart' : null);
  if (part === null) return null;
  return {
    subject: 'hardware',
    tool: 'hardware',
    input: { kind: HARDWARE[part], server: names[0] },
    reads: [
      part,
      ...WORSE,
      'server',
      ...(part === 'gpu' ? (['temperature', 'memory', 'top', 'busy', 'who'] as const) : []),
      ...(part === 'smart' ? (['disk'] as const) : []),
    ],
    takes: ['names', 'figures'],
  };
}

/** Plans for servers: one, several, all. */
export function serverPlan(asked: Asked): Plan | null {
  const { has, names } = asked;
  if (names.length > 0) return namedPlan(asked);
  if (has('idle') && asked.figures.length === 0)
    return { subject: 'idle', tool: 'idle_servers', reads: ['idle', 'server'] };
  if (has('uptime') && has('server'))
    return {
      subject: 'servers',
      tool: 'rank_servers',
      // A reboot is the end of an uptime.
      input: {
        by: 'uptime',
        order: asked.order === 'lowest' || asked.words.some((word) => /^(?:re)?boot/.test(word)) ? 'lowest' : undefined,
      },
      reads: ['uptime', 'server', 'top', 'least'],
    };
  const figures = figurePlan(asked);
  if (figures !== null) return figures;
  if (has('headroom'))
    return { subject: 'headroom', tool: 'list_servers', reads: ['headroom', 'server', 'least', 'over', 'free', 'who'] };
  return listPlan(asked);
}

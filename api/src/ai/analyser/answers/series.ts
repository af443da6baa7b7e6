import type { Understood } from '../asked.ts';
import { cell, inside, moment, REPORTS, rowsOf, statisticsRow, STATISTICS_HEAD, table, unitOf } from '../reports.ts';
import { nameOfFigure, periodWords, sentence, type Content, type Write } from './write.ts';

/** Share of the range with figures, in per cent, below which an answer says so. */
const WHOLE_PERCENT = 90;
/** A range that ends longer ago, in seconds, says nothing about now. */
const NOW_SECONDS = 300;

/** The tools say "average of all servers" and "sum of all servers". */
const isFleet = (content: Content): boolean => String(content['server']).endsWith(' of all servers');
const nameOf = (content: Content): string => (isFleet(content) ? 'all servers' : cell(content['server']));

/** Returns the part of the statistics that the question names. */
function askedStatistic(content: Content, { terms }: Understood, now: number): string | null {
  const statistics = content['statistics'];
  const unit = unitOf(content);
  const peak = content['peak'];
  if (terms.has('percentile')) return `95 % of the time at most ${cell(inside(statistics, 'p95'), unit)}`;
  const [lowest, highest] = ['lowest', 'highest'].map((name) => inside(content['extremes'], name));
  if (terms.has('least')) return `at least ${cell(lowest ?? inside(statistics, 'min'), unit)}`;
  if (terms.has('top') && inside(peak, 'hostname') !== undefined)
    return `at most ${cell(inside(peak, 'value'), unit)} (${moment(inside(peak, 'at'), now)})`;
  if (terms.has('top')) return `at most ${cell(highest ?? inside(statistics, 'max'), unit)}`;
  return null;
}

export const history: Write = (content, asked, now) => {
  const { statistics } = content;
  const { period } = asked;
  const unit = unitOf(content);
  const figure = nameOfFigure(content['figure']);
  const range = whenOf(content, asked, now);
  const named = nameOf(content);
  if (statistics === null || statistics === undefined) return `**No ${figure} of ${named} is stored ${range}.**`;
  const [known, points] = [Number(inside(statistics, 'known')), Number(inside(statistics, 'points'))];
  const share = points === 0 ? 0 : Math.round((known / points) * 100);
  const isUntilNow = period === null || period.to > now - NOW_SECONDS;
  const mean = `${cell(inside(statistics, 'mean'), unit)} on average`;
  const last = isUntilNow ? `, now ${cell(inside(statistics, 'last'), unit)}` : '';
  const statistic = askedStatistic(content, asked, now);
  const peak = content['peak'];
  const isRanked = isFleet(content) && asked.terms.has('top') && inside(peak, 'hostname') !== undefined;
  const head = isRanked
    ? `**${cell(inside(peak, 'hostname'))} had the highest ${figure} ${range}: ${cell(inside(peak, 'value'), unit)}, at ${moment(inside(peak, 'at'), now)}.**`
    : `**${sentence(`${named === 'all servers' ? 'All servers' : named}: ${figure}`, statistic ?? mean, range)}${statistic === null ? last : ''}.**`;
  const missing = share < WHOLE_PERCENT ? [`Figures are stored for ${String(share)} % of that time.`] : [];
  return [head, ...missing, table(STATISTICS_HEAD, [statisticsRow(content)])].join('\n\n');
};
/** Without a time in the question, that of the screen. */
function whenOf(content: Content, { period }: Understood, now: number): string {
  if (period !== null) return periodWords(period, now);
  const [from, to] = [content['from'], content['to']].map((iso) => Date.parse(String(iso)) / 1000);
  return periodWords(
    { minutes: Math.round(((to ?? now) - (from ?? now)) / 60), from: from ?? now, to: to ?? now, read: new Set() },
    now,
  );
}

export const network: Write = (content, asked, now) => {
  const found = content['receive_bytes_per_second'];
  const named = nameOf(content);
  const when = whenOf(content, asked, now);
  if (found === null || found === undefined) return `**No network traffic of ${named} is stored ${when}.**`;
  return `**Network of ${named} ${when}.**\n\n${REPORTS.network.write([content], now)}`;
};

/** One row for each server, one column for each figure. */
export function comparison(results: readonly Content[], asked: Understood, now: number): string {
  const [first] = results;
  const names = rowsOf(first, 'servers').map((row) => row['hostname']);
  const statisticOf = (result: Content, at: number, name: string): number | null => {
    const value = inside(rowsOf(result, 'servers')[at]?.['statistics'], name);
    return typeof value === 'number' ? value : null;
  };
  const cells = (result: Content, at: number): string =>
    `${cell(statisticOf(result, at, 'last'), unitOf(result))}, mean ${cell(statisticOf(result, at, 'mean'), unitOf(result))}, max ${cell(statisticOf(result, at, 'max'), unitOf(result))}`;
  const heads = results.map((result) => {
    const figure = nameOfFigure(result['figure']);
    const known = names
      .map((name, at) => ({ name, value: statisticOf(result, at, 'mean') }))
      .filter(({ value }) => value !== null)
      .toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));
    const [most, next] = known;
    if (most === undefined) return `${figure} is N/A`;
    const value = cell(most.value, unitOf(result));
    return next !== undefined && cell(next.value, unitOf(result)) === value
      ? `${cell(most.name)} and ${cell(next.name)} have the same mean ${figure}: ${value}`
      : `${cell(most.name)} has the higher mean ${figure}: ${value}`;
  });
  return `**${heads.join('; ')}.** Last value, mean and max ${first === undefined ? '' : whenOf(first, asked, now)}.\n\n${table(
    ['server', ...results.map((result) => nameOfFigure(result['figure']))],
    names.map((name, at) => [cell(name), ...results.map((result) => cells(result, at))]),
  )}`;
}

import type { TimelineEntry } from '@plimsoll/contract/wire/timeline';
import type { ChartMarker } from '../../components/chart/markers/cluster-markers.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { sinceMoment } from '../../time/since-moment.ts';

const TONE = { critical: 'over', error: 'over', warning: 'near', info: 'info' } as const;

/** Returns the entries as marks below the chart: alerts with the time they lasted, the rest as events. */
export const timelineMarks = (entries: readonly TimelineEntry[]): ChartMarker[] =>
  entries.map(({ id, kind, first_at: from, timestamp, severity, message, count, ended_at: ended }) => ({
    id,
    from: kind === 'alert' ? timestamp : from,
    to: kind === 'alert' ? ended : null,
    tone: kind === 'alert' ? TONE[severity] : 'event',
    words: `${sinceMoment(timestamp * 1000)} ${escapeInvisible(message)}`,
    // A cluster counts its events for hours: the mark stands for the first one.
    ...(count > 1 && kind !== 'alert' && kind !== 'kubernetes' && { count }),
  }));

import type { useServerNames } from '../../api/server-names.ts';
import type { Asked } from '../../api/query.ts';
import type { Alert, AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { useFilters } from '../../state/use-filters.ts';

export interface TimelineChartProps {
  filters: ReturnType<typeof useFilters>;
  servers: ReturnType<typeof useServerNames>;
  lists: { alerts: readonly Alert[]; listed: Asked<AlertsAnswer> };
  onMark: (id: string) => void;
  phone: boolean;
}

/** Height of the chart. */
export const timelinePx = (phone: boolean): number => (phone ? 196 : 260);

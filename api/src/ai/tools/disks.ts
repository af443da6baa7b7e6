import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { serverAnswer, serversAnswer, type DiskForecast } from '@plimsoll/contract/wire/servers';
import { z } from 'zod';
import { duration } from '../../alerts/duration.ts';
import { screens } from '../screen-links.ts';
import type { Tool } from '../types.ts';
import { chosenServer } from './named-server.ts';
import { MOST_ROWS, tool } from './tool.ts';

/** Servers that one call of the list returns at most. */
const ALL_SERVERS = 1000;

const shown = (forecast: DiskForecast, now: number) => {
  const { reaches_at: at } = forecast;
  return {
    ...forecast,
    hours_until_line: at === null ? null : Math.round(((Date.parse(at) / 1000 - now) / HOUR_SECONDS) * 10) / 10,
    time_until_line: at === null ? null : duration(Date.parse(at) - now * 1000),
  };
};

const byTime = (a: { reaches_at: string | null }, b: { reaches_at: string | null }): number =>
  (a.reaches_at ?? '9999').localeCompare(b.reaches_at ?? '9999');

/** The forecast of when filesystems reach their load line. */
export const diskTools: readonly Tool[] = [
  tool({
    name: 'disk_forecast',
    description:
      'Returns when filesystems reach their load line if they grow on as they did, the soonest first, with confidence. Without a server: the first filesystem of each server. reaches_at null: no forecast, for `reason`.',
    input: z.object({
      server: z.string().max(200).optional().describe('host name or server_id; default: all servers'),
    }),
    async run({ server: name }, context) {
      const chosen = await chosenServer(context, name);
      if (chosen !== null) {
        const { server } = await context.read('/api/servers/:id', serverAnswer, { params: { id: chosen.id } });
        const forecasts = server.disk_forecasts.map((one) => shown(one, context.now)).toSorted(byTime);
        return {
          content: { hostname: chosen.hostname, forecasts: forecasts.slice(0, MOST_ROWS) },
          sources: [screens.server(chosen.id, chosen.hostname)],
        };
      }
      const { servers, total } = await context.read('/api/servers/list', serversAnswer, {
        query: { limit: ALL_SERVERS },
      });
      const rows = servers.flatMap(({ display_name: given, hostname, disk_forecast: forecast }) =>
        forecast === null ? [] : [{ hostname: given ?? hostname, ...shown(forecast, context.now) }],
      );
      const growing = rows.filter(({ reaches_at: at }) => at !== null).toSorted(byTime);
      return {
        content: {
          servers: total,
          with_forecast: growing.length,
          over_line: rows.filter(({ reason }) => reason === 'over_line').slice(0, MOST_ROWS),
          forecasts: growing.slice(0, MOST_ROWS),
        },
        sources: [screens.servers({ sort: 'fills' })],
      };
    },
  }),
];

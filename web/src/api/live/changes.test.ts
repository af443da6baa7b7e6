import type { ChangeTopic } from '@plimsoll/contract/wire/events';
import { describe, expect, it } from 'vitest';
import { isTouched } from './change-topics.ts';
import type { TimeRange } from '../../time/range.ts';
import { sessionsQuery } from '../account.ts';
import { activityQuery, activityRangeQuery } from '../activity.ts';
import { aiHealthQuery } from '../ai.ts';
import { listAlertsQuery, serverAlertHistoryQuery, serverAlertsQuery, sidebarAlertsQuery } from '../alerts.ts';
import { enrolledNodesQuery } from '../install.ts';
import { clusterOverviewQuery, clustersQuery, nodeQuery, podsQuery } from '../kubernetes.ts';
import { latestMetricsQuery, sparksQuery, timeseriesQuery } from '../metrics.ts';
import { connectionsQuery, networkMetricsQuery, networkTimeseriesQuery } from '../network.ts';
import { plansQuery } from '../plans.ts';
import { processesQuery } from '../processes.ts';
import { serverQuery, serversQuery } from '../servers.ts';
import { profileQuery } from '../user.ts';

const MINE = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const DAY: TimeRange = { kind: 'relative', hours: 24 };
const TOPICS: readonly ChangeTopic[] = ['servers', 'metrics', 'alerts', 'activity', 'kubernetes'];

/** Which topics make each question stale; the keys are the real ones, so that a renamed key shows here. */
const STALE_BY: readonly [name: string, key: readonly unknown[], topics: readonly ChangeTopic[]][] = [
  ['the list of servers', serversQuery().queryKey, ['servers', 'metrics']],
  ['one server', serverQuery(MINE).queryKey, ['servers', 'metrics']],
  ['latest metrics', latestMetricsQuery().queryKey, ['metrics']],
  ['a timeline', timeseriesQuery(DAY, MINE).queryKey, ['metrics']],
  ['bandwidth', networkTimeseriesQuery(DAY).queryKey, ['metrics']],
  ['network now', networkMetricsQuery(MINE).queryKey, ['metrics']],
  ['connections', connectionsQuery(MINE).queryKey, ['metrics']],
  ['processes', processesQuery('cpu').queryKey, ['metrics']],
  ['the badge', sidebarAlertsQuery().queryKey, ['alerts']],
  ['alerts of a server', serverAlertsQuery(MINE).queryKey, ['alerts']],
  ['alerts of a range', listAlertsQuery(DAY).queryKey, ['alerts']],
  ['alerts under a chart', serverAlertHistoryQuery(MINE).queryKey, ['alerts']],
  ['recent activity', activityQuery().queryKey, ['activity']],
  ['activity of a range', activityRangeQuery(DAY, {}).queryKey, ['activity']],
  ['the overview', clusterOverviewQuery().queryKey, ['kubernetes']],
  ['clusters', clustersQuery().queryKey, ['kubernetes']],
  ['pods', podsQuery({}).queryKey, ['kubernetes']],
  ['nodes that enrol', enrolledNodesQuery('t', true).queryKey, ['kubernetes']],
  ['small charts', sparksQuery([MINE]).queryKey, []],
  ['the profile', profileQuery().queryKey, []],
  ['sessions', sessionsQuery().queryKey, []],
  ['plans', plansQuery().queryKey, []],
  ['AI health', aiHealthQuery().queryKey, []],
];

describe('what the server says has changed', () => {
  it.each(STALE_BY)('%s: is asked anew for its topics and for no other', (_, key, topics) => {
    const touching = TOPICS.filter((topic) => isTouched(key, { topics: [topic], server_ids: null }));
    expect(touching).toEqual(topics);
  });

  it.each([
    ['one server', serverQuery(MINE).queryKey, ['metrics']],
    ['a timeline', timeseriesQuery(DAY, MINE).queryKey, ['metrics']],
    ['connections', connectionsQuery(MINE).queryKey, ['metrics']],
    ['processes', processesQuery('memory', MINE).queryKey, ['metrics']],
    ['alerts of a server', serverAlertsQuery(MINE).queryKey, ['alerts']],
    ['alerts of a range', listAlertsQuery(DAY, MINE).queryKey, ['alerts']],
    ['activity of a server', activityQuery({ server_id: MINE }).queryKey, ['activity']],
    ['a node', nodeQuery(MINE).queryKey, ['kubernetes']],
  ] as const)('%s: only when that server is among the changed', (_, key, topics) => {
    const touched = (ids: string[] | null) => isTouched(key, { topics: [...topics], server_ids: ids });
    expect([touched([OTHER]), touched([OTHER, MINE]), touched(null), touched([])]).toEqual([false, true, true, false]);
  });

  it.each([
    ['the list of servers', serversQuery().queryKey],
    ['latest metrics', latestMetricsQuery().queryKey],
    ['processes of all', processesQuery('cpu').queryKey],
  ] as const)('%s: for a change of any server', (_, key) => {
    expect(isTouched(key, { topics: ['metrics'], server_ids: [OTHER] })).toBe(true);
  });
});

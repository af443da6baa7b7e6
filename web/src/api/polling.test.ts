import { describe, expect, it } from 'vitest';
import { POLL, ROWS, STALE, UI } from './polling.ts';

/** The figures of the specification, written out a second time on purpose: a slip in either place shows. */
describe('intervals, times and counts', () => {
  it.each([
    ['sidebar notifications', POLL.sidebarAlerts, 15],
    ['dashboard activity', POLL.dashboardActivity, 10],
    ['dashboard metrics', POLL.dashboardMetrics, 30],
    ['server detail metrics', POLL.serverMetrics, 30],
    ['server detail active alerts', POLL.serverAlerts, 30],
    ['server detail network', POLL.serverNetwork, 30],
    ['alerts page notifications', POLL.alerts, 15],
    ['metrics timeseries', POLL.metricsTimeseries, 15],
    ['network timeseries', POLL.networkTimeseries, 30],
    ['network metrics', POLL.networkMetrics, 60],
    ['processes', POLL.processes, 10],
    ['kubernetes overview', POLL.kubernetesOverview, 30],
    ['kubernetes nodes', POLL.kubernetesNodes, 30],
    ['kubernetes node history', POLL.kubernetesNodeHistory, 60],
    ['alerts page is stale after', STALE.alerts, 10],
    ['profile is stale after', STALE.profile, 60],
    ['AI health is cached for', STALE.aiHealth, 60],
    ['other queries are cached for', STALE.other, 300],
    ['copy feedback', UI.copyFeedback, 2],
    ['redirect after a failed callback', UI.callbackRedirect, 3],
    ['setup progress', UI.setupProgress.plain, 60],
    ['setup progress with Prometheus', UI.setupProgress.prometheus, 90],
    ['setup stage starting', UI.setupStage.starting, 20],
    ['setup stage connecting', UI.setupStage.connecting, 40],
    ['setup stage connecting with Prometheus', UI.setupStage.connectingWithPrometheus, 50],
    ['setup check after ready', UI.setupCheckAfterReady, 0.5],
  ])('%s: %d ms is %d s', (_, milliseconds, seconds) => expect(milliseconds).toBe(seconds * 1000));

  it.each([
    ['sidebar notifications asked', ROWS.sidebarAlerts, 100],
    ['dashboard servers asked', ROWS.dashboardServers, 100],
    ['dashboard alerts asked', ROWS.dashboardAlertsAsked, 100],
    ['dashboard alerts shown', ROWS.dashboardAlerts, 6],
    ['dashboard activity asked', ROWS.dashboardActivityAsked, 50],
    ['dashboard events shown', ROWS.dashboardActivity, 4],
    ['alerts page asked', ROWS.alerts, 100],
    ['server alerts asked', ROWS.serverAlertsAsked, 10],
    ['server alerts shown', ROWS.serverAlerts, 5],
    ['server events shown', ROWS.serverActivity, 10],
    ['server connections shown', ROWS.serverConnections, 20],
    ['processes asked', ROWS.processesAsked, 50],
    ['processes shown', ROWS.processes, 20],
    ['setup asks servers', ROWS.setupServers, 1],
    ['setup asks nodes', ROWS.setupNodes, 3],
  ])('%s: %d', (_, rows, wanted) => expect(rows).toBe(wanted));
});

import { expect, it } from 'vitest';
import { readingOf, understand } from './understand.ts';

/** Questions as people on call type them: short, misspelt and in German. */

const at = (time: string): number => Date.parse(`2026-11-${time}:00Z`) / 1000;
/** A Sunday. */
const NOW = at('29T16:20');
const YESTERDAY = { from: at('28T00:00'), to: at('29T00:00') };
type Row = readonly [question: string, tool: string, input: Record<string, unknown>];

const UPDATES: readonly Row[] = [
  ['updates pending', 'package_updates', { wanted: 'pending' }],
  ['which servers have no updates pending', 'package_updates', { wanted: 'none' }],
  ['servers without security updates', 'package_updates', { wanted: 'no_security' }],
  ['which servers have security patches outstanding', 'package_updates', { wanted: 'security' }],
  ['how many updates has db-1', 'package_updates', { server: 'db-1' }],
  ['welche server haben updates', 'package_updates', { wanted: 'pending' }],
  ['sicherheitsupdates', 'package_updates', { wanted: 'security' }],
  // A reboot that is needed is no reboot that was: these had the server with the lowest uptime.
  ['which servers need a reboot', 'package_updates', { wanted: 'reboot' }],
  ['which hosts need no reboot', 'package_updates', { wanted: 'no_reboot' }],
  ['reboot required?', 'package_updates', { wanted: 'reboot' }],
  ['does db-1 need a reboot', 'package_updates', { server: 'db-1' }],
  ['which server rebooted last', 'rank_servers', { by: 'uptime', order: 'lowest' }],
];
const GERMAN: readonly Row[] = [
  ['welcher server hat die höchste speicherauslastung', 'rank_servers', { by: 'memory' }],
  ['festplattenbelegung von db-1', 'server_details', { server: 'db-1' }],
  ['speicherverbrauch von db-1', 'server_details', { server: 'db-1' }],
  ['wieviel ram ist frei auf db-1', 'server_details', { server: 'db-1' }],
  ['wieviele pods laufen', 'rank_pods', { by: 'restarts', phase: 'Running' }],
  ['was hat sich gestern geändert', 'changes', YESTERDAY],
  ['letzte alarme', 'list_alerts', {}],
  ['welche checks sind langsam', 'list_checks', { by: 'slowest' }],
];
const MORE: readonly Row[] = [
  ['largest memory usage', 'rank_servers', { by: 'memory' }],
  ['oldest alert', 'list_alerts', { order: 'oldest' }],
  ['newest alert', 'list_alerts', {}],
  ['unacknowledged alerts', 'list_alerts', { acknowledged: false }],
  ['which critical alerts are not acked', 'list_alerts', { level: 'critical', acknowledged: false }],
  ['who acknowledged the alerts', 'list_alerts', { acknowledged: true }],
  ['slowest check', 'list_checks', { by: 'slowest' }],
  // "Latency" was taken for the name of a check.
  ['check latency', 'list_checks', { by: 'slowest' }],
  ['which cert expires first', 'list_checks', {}],
  ['when is the disk of logs-1 full', 'disk_forecast', { server: 'logs-1' }],
  ['when does the disk get full', 'disk_forecast', {}],
  ['disk io on db-1', 'server_details', { server: 'db-1' }],
  ['open connections on db-1', 'network_over_time', { server: 'db-1' }],
  ['is worker-1 ready', 'rank_nodes', { by: 'headroom', search: 'worker-1' }],
  ['which deployments are not available', 'rank_workloads', { unready: true }],
  ['events in namespace shop', 'kubernetes_events', { namespace: 'shop' }],
  ['is anything oomkilled', 'rank_pods', { by: 'restarts' }],
  ['crashlooping pods?', 'rank_pods', { by: 'restarts', reasons: ['CrashLoopBackOff'] }],
  ['how many pods are in crash loop', 'rank_pods', { by: 'restarts', reasons: ['CrashLoopBackOff'] }],
  ['pods in imagepullbackoff', 'rank_pods', { by: 'restarts', reasons: ['ImagePullBackOff', 'ErrImagePull'] }],
  ['which nodes are above 50 % memory', 'rank_nodes', { by: 'memory', above: 50 }],
  ['nodes under 10 percent cpu', 'rank_nodes', { by: 'cpu', order: 'lowest', below: 10 }],
  ['pods using more than 1 GB memory', 'rank_pods', { by: 'memory', above: 1024 }],
  ['pods over 512mb ram', 'rank_pods', { by: 'memory', above: 512 }],
  ['pods above 0.5 cores cpu', 'rank_pods', { by: 'cpu', above: 0.5 }],
  ['any smart failures?', 'hardware', { kind: 'drives' }],
];

it.each([...UPDATES, ...GERMAN, ...MORE])('%s', (question, tool, input) => {
  const { understood, unread } = readingOf(question, NOW);
  expect([unread, understood?.tool, understood?.input]).toEqual([[], tool, input]);
});

it.each([
  // A limit in the unit of another figure is none.
  ['pods above 80 % memory', '80'],
  ['pods above 1 gb cpu', '1 gb'],
  ['servers above 2 cores cpu', '2 cores'],
  ['nodes above 8 gb memory', '8 gb'],
  // The size of a thing is not the use of it.
  ['biggest filesystem', 'biggest'],
  ['which server has the smallest disk', 'smallest'],
  ['largest memory', 'largest'],
  ['welche server haben wenig speicher', 'wenig'],
])('“%s” is refused for “%s”', (question, unread) => {
  expect(readingOf(question, NOW)).toEqual({ understood: null, unread: [unread] });
});

it('reads disk activity as operations, not as time that processes wait', () => {
  expect(understand('disk io on db-1', NOW)?.figures).toEqual(['iops']);
});

import { describe, expect, it } from 'vitest';
import { nearestQuestion, OFFERED } from './nearest-question.ts';
import { readingOf, understand } from './understand.ts';
import { edits, termOf } from './words.ts';

type Row = readonly [question: string, subject: string, tool: string, input: Record<string, unknown>];

const at = (time: string): number => Date.parse(`2026-11-${time}:00Z`) / 1000;
/** A Sunday. */
const NOW = at('29T16:20');
const TODAY = { from: at('29T00:00'), to: NOW };
const NIGHT = { from: at('28T20:00'), to: at('29T06:00') };

/** Written before the implementation was read. */
const BLIND: readonly Row[] = [
  ['Which server has the highest memory usage?', 'servers', 'rank_servers', { by: 'memory' }],
  ['Which server has the highest CPU?', 'servers', 'rank_servers', { by: 'cpu' }],
  ['who uses the most cpu', 'servers', 'rank_servers', { by: 'cpu' }],
  ['which disk is the fullest', 'servers', 'rank_servers', { by: 'disk' }],
  ['top 5 servers by disk usage', 'servers', 'rank_servers', { by: 'disk' }],
  ['what is the load of my servers?', 'servers', 'rank_servers', { by: 'load' }],
  ['which machine is the hottest', 'servers', 'rank_servers', { by: 'temperature' }],
  ['which host waits most for io', 'servers', 'rank_servers', { by: 'io_wait' }],
  ['how much memory is free on web-1', 'server', 'server_details', { server: 'web-1' }],
  ['memroy usage of all servers', 'servers', 'rank_servers', { by: 'memory' }],
  ['cpu?', 'servers', 'rank_servers', { by: 'cpu' }],
  ['which servers are offline', 'servers', 'list_servers', { status: 'offline' }],
  ['how many servers do I have', 'servers', 'list_servers', {}],
  ['is anything down?', 'servers', 'list_servers', { status: 'offline' }],
  ['Welcher server most memory uses?', 'servers', 'rank_servers', { by: 'memory' }],
  ['which server sends the most traffic', 'servers', 'rank_servers', { by: 'transmit' }],
  ['how much bandwidth is used right now', 'network', 'network_over_time', {}],
  ['network traffic of the last hour', 'network', 'network_over_time', { minutes: 60 }],
  ['how full is the disk of db-1?', 'server', 'server_details', { server: 'db-1' }],
  ['where will the disk be full soon', 'forecast', 'disk_forecast', {}],
  ['busiest servers', 'servers', 'rank_servers', { by: 'cpu' }],
  ['least loaded server', 'servers', 'rank_servers', { by: 'cpu', order: 'lowest' }],
  ['show me temperatures', 'servers', 'rank_servers', { by: 'temperature' }],
  ['since when is web-2 offline', 'server', 'server_details', { server: 'web-2' }],
  ['any alerts?', 'alerts', 'list_alerts', {}],
  ['what is firing right now', 'alerts', 'list_alerts', {}],
  ['how many critical alerts are there', 'alerts', 'list_alerts', { level: 'critical' }],
  ['since when is there the alert on db-1', 'alerts', 'list_alerts', { server: 'db-1' }],
  ['what happened last night', 'events', 'activity', NIGHT],
  ['show me all warnings', 'alerts', 'list_alerts', { level: 'warning' }],
  ['which process eats the CPU', 'processes', 'top_processes', { by: 'cpu' }],
  ['top 10 processes by ram', 'processes', 'top_processes', { by: 'memory' }],
  ['who is eating my memory', 'processes', 'top_processes', { by: 'memory' }],
  ['what is runing on web-1', 'processes', 'top_processes', { by: 'cpu', server: 'web-1' }],
  ['which container uses the most memory', 'containers', 'list_containers', { by: 'memory' }],
  ['how many containers are running', 'containers', 'list_containers', { by: 'worst' }],
  ['which containers restart', 'containers', 'list_containers', { by: 'restarts' }],
  ['which pods restart the most', 'pods', 'rank_pods', { by: 'restarts' }],
  ['pods not running', 'pods', 'rank_pods', { by: 'state', unhealthy: true }],
  ['how many pods are pending', 'pods', 'rank_pods', { by: 'restarts', phase: 'Pending' }],
  ['top 5 pods by memory', 'pods', 'rank_pods', { by: 'memory' }],
  ['how many nodes are ready', 'nodes', 'rank_nodes', { by: 'headroom' }],
  ['which node has the most cpu', 'nodes', 'rank_nodes', { by: 'cpu' }],
  ['which namespace uses the most memory', 'namespaces', 'rank_namespaces', { by: 'memory' }],
  ['pods per namespace', 'namespaces', 'rank_namespaces', { by: 'pods' }],
  ['statistics for last hour', 'statistics', 'figures_over_time', { minutes: 60 }],
  ['how was cpu over the last 24 hours', 'history', 'figures_over_time', { figure: 'cpu', minutes: 1440, chart: true }],
];
const MORE: readonly Row[] = [
  ['which host needs the most ram', 'servers', 'rank_servers', { by: 'memory' }],
  ['server with the least memory usage', 'servers', 'rank_servers', { by: 'memory', order: 'lowest' }],
  ['which server has the most free memory', 'servers', 'rank_servers', { by: 'free_memory' }],
  ['server with the least free memory', 'servers', 'rank_servers', { by: 'free_memory', order: 'lowest' }],
  ['top 3 cpu', 'servers', 'rank_servers', { by: 'cpu' }],
  ['cpu usage per server', 'servers', 'rank_servers', { by: 'cpu' }],
  ['Welcher Server hat die höchste CPU?', 'servers', 'rank_servers', { by: 'cpu' }],
  ['Which servers have the fullest disks', 'servers', 'rank_servers', { by: 'disk' }],
  ['who is swapping', 'servers', 'rank_servers', { by: 'swap' }],
  ['which machine does the most disk operations', 'servers', 'rank_servers', { by: 'iops' }],
  ['highest I/O wait', 'servers', 'rank_servers', { by: 'io_wait' }],
  ['which host receives the most data', 'servers', 'rank_servers', { by: 'receive' }],
  ['top uploaders by sent traffic', 'servers', 'rank_servers', { by: 'transmit' }],
  ['servers by network traffic', 'servers', 'rank_servers', { by: 'network' }],
  ['coolest server', 'servers', 'rank_servers', { by: 'temperature', order: 'lowest' }],
  ['highest load average', 'servers', 'rank_servers', { by: 'load' }],
  ['list all my servers', 'servers', 'list_servers', {}],
  ['are my servers ok', 'servers', 'list_servers', {}],
  ['Which hosts are not reporting?', 'servers', 'list_servers', { status: 'offline' }],
  ['how many machines are online', 'servers', 'list_servers', {}],
  ['memory of db-fra-01', 'server', 'server_details', { server: 'db-fra-01' }],
  ['how hot is it on gandalf', 'server', 'server_details', { server: 'gandalf' }],
  ['is web-1 up', 'server', 'server_details', { server: 'web-1' }],
  ['memory over the last 6 hours', 'history', 'figures_over_time', { figure: 'memory', minutes: 360, chart: true }],
  [
    'cpu of web-1 in the last day',
    'history',
    'figures_over_time',
    { figure: 'cpu', server: 'web-1', minutes: 1440, chart: true },
  ],
  ['load in the last 24h', 'history', 'figures_over_time', { figure: 'load', minutes: 1440, chart: true }],
  ['how many alerts were there today', 'alerts', 'list_alerts', TODAY],
  ['problems on db-1', 'alerts', 'list_alerts', { server: 'db-1' }],
  ['resolved alerts', 'alerts', 'list_alerts', { status: 'resolved' }],
  ['alertz?', 'alerts', 'list_alerts', {}],
  ['Gibt es kritische Alarme?', 'alerts', 'list_alerts', { level: 'critical' }],
  ['which processes need the most memory on db-1', 'processes', 'top_processes', { by: 'memory', server: 'db-1' }],
  ['what is burning cpu', 'processes', 'top_processes', { by: 'cpu' }],
  ['top 5 prozesse', 'processes', 'top_processes', { by: 'cpu' }],
  ['which containers are unhealthy', 'containers', 'list_containers', { by: 'worst', state: 'broken' }],
  ['docker cpu usage', 'containers', 'list_containers', { by: 'cpu' }],
  ['containers on web-1', 'containers', 'list_containers', { by: 'worst', server: 'web-1' }],
  ['cpu of the pods in namespace shop', 'pods', 'rank_pods', { by: 'cpu', namespace: 'shop' }],
  ['failed pods', 'pods', 'rank_pods', { by: 'restarts', phase: 'Failed' }],
  ['what was OOM killed in kubernetes', 'pods', 'rank_pods', { by: 'restarts' }],
  ['which nodes are not ready', 'nodes', 'rank_nodes', { by: 'headroom', ready: false }],
  ['how many pods does each node have', 'nodes', 'rank_nodes', { by: 'pods' }],
  ['top namespaces by cpu', 'namespaces', 'rank_namespaces', { by: 'cpu' }],
  ['which namespace has the most restarts', 'namespaces', 'rank_namespaces', { by: 'restarts' }],
  ['which disk is full soon', 'forecast', 'disk_forecast', {}],
  ['traffic in the last 6 hours', 'network', 'network_over_time', { minutes: 360 }],
  ['summary of the last day', 'statistics', 'figures_over_time', { minutes: 1440 }],
  ['who is closest to its line', 'headroom', 'list_servers', {}],
  ['what happened today', 'events', 'activity', TODAY],
];

/** Written by an auditor before the rules were read. */
const AUDIT: readonly Row[] = [
  ['who has the least free disk space', 'servers', 'rank_servers', { by: 'disk' }],
  ['which servers are above 80% memory', 'servers', 'rank_servers', { by: 'memory', above: 80 }],
  ['servers with less than 20 % disk', 'servers', 'rank_servers', { by: 'disk', order: 'lowest', below: 20 }],
  ['servers hotter than 60 degrees', 'servers', 'rank_servers', { by: 'temperature', above: 60 }],
  ['which server was rebooted last', 'servers', 'rank_servers', { by: 'uptime', order: 'lowest' }],
  ['which servers are not offline', 'servers', 'list_servers', { status: 'active' }],
  ['which servers are in eu-west-1', 'servers', 'list_servers', { search: 'eu-west-1' }],
  ['total memory of all servers', 'totals', 'list_servers', {}],
  ['which server is idle', 'idle', 'idle_servers', {}],
  ['compare cpu of web-1 and web-10', 'comparison', 'compare_servers', { servers: ['web-1', 'web-10'] }],
  ['cpu of web-1.eu.example.com', 'server', 'server_details', { server: 'web-1.eu.example.com' }],
  ['what kernel is web-1 on', 'server', 'server_details', { server: 'web-1' }],
  ['when will the disk of web-1 be full', 'forecast', 'disk_forecast', { server: 'web-1' }],
  ['stats for web-1', 'statistics', 'figures_over_time', { server: 'web-1' }],
  [
    'peak memory on web-1 last week',
    'history',
    'figures_over_time',
    { figure: 'memory', server: 'web-1', minutes: 10_080, chart: true },
  ],
  [
    'cpu of web-1 yesterday at 14:00',
    'history',
    'figures_over_time',
    { figure: 'cpu', server: 'web-1', from: at('28T13:30'), to: at('28T14:30'), chart: true },
  ],
  ['Welcher Server hat die höchste CPU-Auslastung?', 'servers', 'rank_servers', { by: 'cpu' }],
  ['is nginx running on web-1', 'processes', 'top_processes', { by: 'cpu', server: 'web-1', program: 'nginx' }],
  ['how many java processes', 'processes', 'top_processes', { by: 'cpu', program: 'java' }],
  ['processes on web-1 at 3:15', 'processes', 'top_processes', { by: 'cpu', server: 'web-1', at: at('29T03:15') }],
  ['is cpu of web-1 above 50%', 'server', 'server_details', { server: 'web-1' }],
  ['cpu > 80', 'servers', 'rank_servers', { by: 'cpu', above: 80 }],
  [
    'how was web-1 yesterday',
    'statistics',
    'figures_over_time',
    { server: 'web-1', from: at('28T00:00'), to: at('29T00:00') },
  ],
  ['which servers run postgres', 'processes', 'top_processes', { by: 'cpu', program: 'postgres' }],
  ['which cluster uses the most memory', 'clusters', 'rank_clusters', { by: 'memory' }],
  ['which deployment is broken', 'workloads', 'rank_workloads', { unready: true }],
  ['which pods are failing', 'pods', 'rank_pods', { by: 'state', unhealthy: true }],
  ['pods on prod-1', 'pods', 'rank_pods', { by: 'restarts', node: 'prod-1' }],
  ['pods in kube-system', 'pods', 'rank_pods', { by: 'restarts', namespace: 'kube-system' }],
  ['memory of namespace shop', 'namespaces', 'rank_namespaces', { by: 'memory', namespace: 'shop' }],
  ['memory of pod checkout-6f7d', 'pods', 'rank_pods', { by: 'memory', search: 'checkout-6f7d' }],
  ['is node worker-1 ready', 'nodes', 'rank_nodes', { by: 'headroom', search: 'worker-1' }],
  ['what if worker-1 dies', 'loss', 'without_node', { node: 'worker-1' }],
  ['kubernetes warnings', 'kubernetes_events', 'kubernetes_events', { type: 'Warning' }],
  ['which checks are down', 'checks', 'list_checks', { status: 'down' }],
  ['which certificates expire soon', 'checks', 'list_checks', {}],
  ['maintenance windows', 'maintenance', 'list_maintenance', {}],
  ['what changed on web-1 today', 'changes', 'changes', { server: 'web-1', ...TODAY }],
  ['when was the last deploy', 'changes', 'changes', { source: 'deploy', minutes: 10_080 }],
  ['why is web-1 slow', 'cause', 'likely_cause', { server: 'web-1' }],
  ['what is the threshold for cpu', 'rules', 'alert_rules', {}],
  ['gpu temperature', 'hardware', 'hardware', { kind: 'gpus' }],
  ['is any raid broken on web-1', 'hardware', 'hardware', { kind: 'raid', server: 'web-1' }],
  ['are the disks healthy', 'hardware', 'hardware', { kind: 'drives' }],
  ['which systemd units failed', 'hardware', 'hardware', { kind: 'failed_units' }],
  ['what is silenced', 'silences', 'list_silences', {}],
  ['is everything ok', 'alerts', 'list_alerts', {}],
];

it.each([...BLIND, ...MORE, ...AUDIT])('%s', (question, subject, tool, input) => {
  const understood = understand(question, NOW);
  expect(understood && { subject: understood.subject, tool: understood.tool, input: understood.input }).toEqual({
    subject,
    tool,
    input,
  });
});

describe('what a question wants beside its tool', () => {
  it.each([
    ['top 5 servers by disk usage', 5, false],
    ['top 10 processes by ram', 10, false],
    ['the 3 busiest machines', 3, false],
    // Neither hours nor per cent are rows.
    ['memory over the last 6 hours', 10, false],
    ['servers over 80 % memory', 10, false],
    ['how many servers do I have', 10, true],
    ['Wie viele Server sind offline?', 10, true],
    ['how many pods does each node have', 10, false],
  ])('%s', (question, limit, isCount) => {
    expect(understand(question)).toMatchObject({ limit, isCount });
  });
});

const FALLBACK = 'Are there any active alerts?';
it.each([
  ['Why is the sky blue?', 'What is the cause of the latest alert?'],
  ['write me a poem', FALLBACK],
  ['Should I buy more memory?', 'Which server has the highest memory usage?'],
  ['how long did the last backup of web-1 take', 'What is the status of web-1?'],
  ['disk write speed of web-1', 'What is the disk usage of web-1?'],
  ['which pods restarted today', 'Which pods restarted most?'],
  ['new alerts', FALLBACK],
  ['missing reports', FALLBACK],
  ['worst server', 'Which server has the least headroom?'],
])('“%s” gets the nearest question', (question, nearest) => {
  expect([understand(question, NOW), nearestQuestion(question, NOW)]).toEqual([null, nearest]);
});

it.each(OFFERED)('“%s” is offered, so it works', (question) => {
  expect(readingOf(question, NOW)).toMatchObject({ understood: {}, unread: [] });
});

// Each of these had the answer to another question.
it.each([
  ['gpu fan noise', ['noise']],
  ['zombie processes', ['zombie']],
  ['inodes on web-1', ['inodes']],
  ['what is the ip of web-1', ['ip']],
  ['who is connected to web-1', ['connected', 'who']],
  ['which user uses the most cpu', ['user']],
  ['which server has most processes', ['server']],
  ['which server had the lowest load yesterday', ['server']],
  ['top 5 servers by cpu yesterday', ['5']],
  ['cpu of all servers except web-1', ['except']],
  ['how many alerts were there not on web-1', ['not']],
  ['cpu next week', ['next', 'week']],
  ['cpu in 5 minutes', ['5', 'minutes']],
  ['was anything oom killed last night', ['last night']],
  ['does another pod with 4 GB fit', ['another', '4', 'gb']],
  ['memory above 8 gb', ['8 gb']],
  ['pods without limits', ['limits', 'without']],
  ['which alert rule fires most', ['most']],
  [`memory of ${'a-'.repeat(300)}b`, [`${'a-'.repeat(10)}…`]],
  ['DROP TABLE servers', ['drop', 'table']],
])('“%s” is refused, with the words that no answer reads', (question, unread) => {
  const reading = readingOf(question, NOW);
  expect(reading.understood).toBeNull();
  expect(reading.unread).toEqual(expect.arrayContaining(unread));
});

it('reads words with a typo, and leaves short words and names alone', () => {
  expect(['memroy', 'procesess', 'serber', 'alertz', 'kubernets'].map(termOf)).toEqual([
    'memory',
    'process',
    'server',
    'alert',
    'cluster',
  ]);
  expect(['gandalf', 'web1', 'god', 'there'].map(termOf)).toEqual([null, null, null, null]);
  expect([edits('memroy', 'memory', 2), edits('abc', 'abcdef', 2)]).toEqual([1, 3]);
});

it.each(['cpu of server ', 'is the container running on ', 'pods in namespace '])(
  'a word that no tool takes as a name is none: “%s…”',
  (question) => {
    const long = understand(`${question}${'a-1'.repeat(100)}`);
    expect(JSON.stringify(long?.input ?? {}).length).toBeLessThan(100);
    expect(JSON.stringify(understand(`${question}${'a-1'.repeat(60)}`)?.input).length).toBeGreaterThan(180);
  },
);

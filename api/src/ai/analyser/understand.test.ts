import { describe, expect, it } from 'vitest';
import { nearestQuestion } from './nearest-question.ts';
import { understand } from './understand.ts';
import { edits, termOf } from './words.ts';

type Row = readonly [question: string, subject: string, tool: string, input: Record<string, unknown>];

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
  ['what happened last night', 'events', 'activity', { minutes: 1440 }],
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
  ['which server has the most free memory', 'servers', 'rank_servers', { by: 'memory', order: 'lowest' }],
  ['server with the least free memory', 'servers', 'rank_servers', { by: 'memory' }],
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
  ['how many alerts were there today', 'alerts', 'list_alerts', { minutes: 1440 }],
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
  ['what happened today', 'events', 'activity', { minutes: 1440 }],
];

it.each([...BLIND, ...MORE])('%s', (question, subject, tool, input) => {
  const understood = understand(question);
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

it.each([
  ['Why is the sky blue?', null],
  ['write me a poem', null],
  ['Should I buy more memory?', 'Which server has the highest memory usage?'],
])('%s', (question, nearest) => {
  expect([understand(question), nearestQuestion(question)]).toEqual([null, nearest]);
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

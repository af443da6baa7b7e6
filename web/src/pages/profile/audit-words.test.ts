import { describe, expect, test } from 'vitest';
import { type AuditEntry, sentenceOf } from './audit-words.ts';

const ADA = { id: '5b1a9e3c-0d5b-4b0e-9a35-2f1c7f3a1c11', name: 'Ada' };
const entry = (action: string, detail: AuditEntry['detail'], parts: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 1,
  at: '2026-01-01T00:00:00.000Z',
  action,
  person: ADA,
  token: null,
  address: null,
  detail,
  ...parts,
});

describe('an entry of the audit log', () => {
  test.each([
    [
      entry('server_deleted', { server: 'web-3' }, { token: { id: null, name: 'ci' } }),
      'Ada (API token ci) deleted server web-3',
    ],
    [entry('channel_changed', { name: 'Ops' }), 'Ada changed channel “Ops”'],
    [
      entry(
        'channel_changed',
        { name: 'Ops', from: '-100', to: '-1001', reason: 'the Telegram group became a supergroup' },
        { person: null },
      ),
      'Plimsoll moved channel “Ops” from chat -100 to -1001: the Telegram group became a supergroup',
    ],
    [entry('signed_in', { method: 'local' }), 'Ada signed in with a password'],
    [entry('alerts_silenced', { done: '1' }), 'Ada silenced 1 alert'],
    [
      entry('alerts_acknowledged', { done: '2', alerts: 'CPU on web-1, CPU on web-2' }),
      'Ada acknowledged 2 alerts: CPU on web-1, CPU on web-2',
    ],
    [
      entry('alert_rule_created', { rule: 'CPU at or above 80 %', on: 'server web-1' }),
      'Ada created alert rule “CPU at or above 80 %” for server web-1',
    ],
    [entry('alert_rule_deleted', { rule: 'CPU', target: 'all' }), 'Ada deleted alert rule “CPU”'],
    [
      entry('alert_rules_imported', { created: '1', changed: '0', rules: '“CPU”' }),
      'Ada imported alert rules, 1 created, 0 changed: “CPU”',
    ],
    [entry('member_removed', { member: 'Bob' }), 'Ada removed Bob'],
    [
      entry('cluster_changed', { cluster: 'prod', organisation_rules: 'on' }),
      'Ada let the objects of cluster prod set rules of the whole organisation',
    ],
    [
      entry('cluster_changed', { cluster: 'prod', organisation_rules: 'off' }),
      'Ada no longer lets the objects of cluster prod set rules of the whole organisation',
    ],
    [
      entry('member_removed', { member: 'Bob', revoked: 'install command', replaced: 'cluster token prod' }),
      'Ada removed Bob, revoked: install command, replaced: cluster token prod',
    ],
    [
      entry('member_access_ended', { member: 'Bob', revoked: 'install command' }),
      'Ada ended what Bob had made, revoked: install command',
    ],
    [entry('member_removed', { member: 'Ada', left: 'true' }), 'Ada left the organisation'],
    [entry('member_joined', { organisation: 'Harbour', role: 'viewer' }), 'Ada joined Harbour as viewer'],
    [
      entry('session_revoked', { id: 'x', browser: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }),
      'Ada ended a session of Firefox on Linux',
    ],
    [entry('message_settings_changed', { quote_log_lines: 'on' }), 'Ada allowed messages to quote a log line'],
    [entry('message_settings_changed', { quote_log_lines: 'off' }), 'Ada forbade messages to quote a log line'],
    [
      entry('retention_changed', { metrics: '7', alerts: '730', events: '30', processes: '14' }),
      'Ada changed the retention: metrics 7 days, alerts 730 days, events 30 days, processes 14 days',
    ],
    [
      entry(
        'cluster_objects_applied',
        { objects: '2 AlertRules created: shop/cpu, shop/disk', cluster: 'prod-eu' },
        { person: null, token: { id: null, name: 'collector of prod-eu' } },
      ),
      'The collector of prod-eu applied custom resources of cluster prod-eu: 2 AlertRules created: shop/cpu, shop/disk',
    ],
    [
      entry('recovered_on_server', { account: 'ada@example.com' }, { person: null }),
      'Plimsoll recovered account ada@example.com on the server’s terminal',
    ],
    [entry('some_later_action', {}), 'Ada some later action'],
    [entry('constructor', {}), 'Ada constructor'],
    [
      entry('sign_in_failed', { passwords: '1', codes: '0', addresses: '1' }, { person: null }),
      'Plimsoll failed to sign in: 1 wrong password and 0 wrong codes from 1 address',
    ],
    [
      entry('sign_in_failed', { passwords: '12', codes: '1', addresses: '3' }),
      'Ada failed to sign in: 12 wrong passwords and 1 wrong code from 3 addresses',
    ],
    [entry('retention_changed', { processes: '1' }), 'Ada changed the retention: processes 1 day'],
    [entry('retention_changed', { reset: 'true', processes: '1' }), 'Ada reset the retention'],
    [entry('retention_changed', {}), 'Ada changed the retention'],
    [
      entry('cluster_removed', { cluster: 'prod', nodes: '1', alerts: '1', tokens: '2' }),
      'Ada removed cluster prod: 1 node and 2 tokens deleted, 1 open alert ended as removed',
    ],
    [
      entry('capacity_settings_changed', {
        cpu_percentile: '95',
        memory_surplus_percent: '15',
        days: '1',
        cpu_limit: 'as_today',
      }),
      'Ada set the advice on sizes to p95 of CPU and 15 % over the highest memory of 1 day, CPU limits as today',
    ],
    [
      entry('capacity_settings_changed', {
        cpu_percentile: '99',
        memory_surplus_percent: '0',
        days: '14',
        cpu_limit: 'none',
      }),
      'Ada set the advice on sizes to p99 of CPU and 0 % over the highest memory of 14 days, no CPU limits',
    ],
    [entry('alerts_silenced', {}), 'Ada silenced several alerts'],
    [entry('pod_logs_read', { namespace: 'shop', pod: 'api-1' }), 'Ada read the log of pod shop/api-1'],
    [entry('pod_logs_read', { pod: 'shop/api-1' }), 'Ada read the log of pod shop/api-1'],
    [entry('member_invited', { email: '', role: 'viewer' }), 'Ada invited somebody as viewer'],
    [
      entry('cluster_price_changed', { cluster: 'prod', core_hour: '0.03', gb_hour: '0.004', currency: 'EUR' }),
      'Ada set the price of cluster prod to 0.03 EUR per core-hour and 0.004 EUR per GB-hour',
    ],
    [
      entry('status_incident_created', { incident: 'Slow checkout', page: 'Shop' }),
      'Ada announced incident “Slow checkout” on status page “Shop”',
    ],
    [
      entry('server_clone_enrolled', { server: 'web-02', with: 'web-01' }, { person: null }),
      'Plimsoll enrolled web-02 as a server of its own: it has the machine id of web-01',
    ],
  ])('%#: %j reads %s', (given, wanted) => {
    expect(sentenceOf(given)).toBe(wanted);
  });

  test('holds no id where a name is missing', () => {
    for (const action of ['server_deleted', 'token_revoked', 'member_removed', 'channel_deleted'])
      expect(sentenceOf(entry(action, { id: ADA.id }))).not.toContain(ADA.id);
  });
});

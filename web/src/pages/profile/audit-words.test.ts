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
  ])('%#: %j reads %s', (given, wanted) => {
    expect(sentenceOf(given)).toBe(wanted);
  });

  test('holds no id where a name is missing', () => {
    for (const action of ['server_deleted', 'token_revoked', 'member_removed', 'channel_deleted'])
      expect(sentenceOf(entry(action, { id: ADA.id }))).not.toContain(ADA.id);
  });
});

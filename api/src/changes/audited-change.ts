import type { ChangeAction } from '@plimsoll/contract/rules/changes';
import type { AuditAction } from '../tenancy/types.ts';

interface Words {
  action: ChangeAction;
  kind: string;
  /** Key of the detail that names the subject. */
  named: string;
  title: string;
}

/** Audited actions that change what Plimsoll watches or says. The others are no cause of anything. */
const WORDS: Partial<Record<AuditAction, Words>> = {
  alert_rule_created: { action: 'added', kind: 'rule', named: 'rule', title: 'is new' },
  alert_rule_changed: { action: 'changed', kind: 'rule', named: 'rule', title: 'changed' },
  alert_rule_deleted: { action: 'gone', kind: 'rule', named: 'rule', title: 'is gone' },
  alert_rules_imported: { action: 'changed', kind: 'rules', named: 'rules', title: 'imported' },
  silence_created: { action: 'added', kind: 'silence', named: 'silence', title: 'is new' },
  silence_changed: { action: 'changed', kind: 'silence', named: 'silence', title: 'changed' },
  silence_deleted: { action: 'gone', kind: 'silence', named: 'silence', title: 'is gone' },
  maintenance_created: { action: 'added', kind: 'maintenance', named: 'name', title: 'is new' },
  maintenance_changed: { action: 'changed', kind: 'maintenance', named: 'name', title: 'changed' },
  maintenance_deleted: { action: 'gone', kind: 'maintenance', named: 'name', title: 'is gone' },
  channel_created: { action: 'added', kind: 'channel', named: 'name', title: 'is new' },
  channel_changed: { action: 'changed', kind: 'channel', named: 'name', title: 'changed' },
  channel_deleted: { action: 'gone', kind: 'channel', named: 'name', title: 'is gone' },
  message_settings_changed: { action: 'changed', kind: 'messages', named: 'name', title: 'settings changed' },
  part_hidden: { action: 'changed', kind: 'hidden part', named: 'subject', title: 'hidden' },
  part_shown: { action: 'changed', kind: 'hidden part', named: 'subject', title: 'shown again' },
};

/** Returns the entry of the ledger for an audited action; null: the action changes nothing that is watched. */
export function auditedChange(
  action: AuditAction,
  detail: Readonly<Record<string, string>>,
): { action: ChangeAction; kind: string; name: string; title: string } | null {
  const words = WORDS[action];
  if (words === undefined) return null;
  const name = detail[words.named] ?? detail['name'] ?? detail['id'] ?? words.kind;
  return { action: words.action, kind: words.kind, name: name === '' ? words.kind : name, title: words.title };
}

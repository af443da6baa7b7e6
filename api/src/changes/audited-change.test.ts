import { expect, it } from 'vitest';
import { auditedChange } from './audited-change.ts';

it.each([
  [
    'alert_rule_changed',
    { rule: 'Disk full' },
    { action: 'changed', kind: 'rule', name: 'Disk full', title: 'changed' },
  ],
  [
    'silence_created',
    { id: '7', silence: 'cpu of web-01' },
    { action: 'added', kind: 'silence', name: 'cpu of web-01', title: 'is new' },
  ],
  ['channel_deleted', { name: '' }, { action: 'gone', kind: 'channel', name: 'channel', title: 'is gone' }],
  ['signed_in', {}, null],
  ['token_created', { name: 'ci' }, null],
] as const)('%s', (action, detail, change) => {
  expect(auditedChange(action, detail)).toEqual(change);
});

import type { MemberAccess } from '@plimsoll/contract/wire/accounts/team';
import { expect, test } from 'vitest';
import { accessRows, choicesOf } from './access-rows.ts';

const AT = '2026-01-01T00:00:00.000Z';
const token = {
  name: null,
  last_four: 'abcd',
  cluster_name: null,
  created_at: AT,
  last_used_at: null,
  expires_at: null,
};
const access: MemberAccess = {
  cluster_tokens: [
    { ...token, id: 'used', cluster_name: 'prod', last_used_at: AT, proposed: 'replace' },
    { ...token, id: 'spare', proposed: 'revoke' },
    { ...token, id: 'replaced', name: 'old', last_used_at: AT, expires_at: AT, proposed: 'keep' },
  ],
  enrolment_tokens: [{ id: 'install', created_at: AT, expires_at: AT, servers: 1, proposed: 'revoke' }],
  invitations: [{ id: 'link', role: 'admin', email: null, expires_at: AT, proposed: 'revoke' }],
  status_pages: [{ id: 'page', title: 'Shop', path: '/status/x', proposed: 'revoke' }],
};

test('every thing has a name and the ends that it can have', () => {
  expect(accessRows(access).map(({ name, ends }) => [name, ends.map(({ value }) => value)])).toEqual([
    ['Cluster token prod', ['revoke', 'replace', 'keep']],
    ['Cluster token ••••abcd', ['revoke', 'keep']],
    ['Cluster token old', ['revoke', 'keep']],
    ['Install command', ['revoke', 'keep']],
    ['Invitation of whoever has the link', ['revoke', 'keep']],
    ['Status page Shop', ['revoke', 'keep']],
  ]);
});

test('the proposed end is taken unless another one is chosen', () => {
  const rows = accessRows(access);
  expect(choicesOf(rows, new Map())).toEqual({ revoke: ['spare', 'install', 'link', 'page'], replace: ['used'] });
  const chosen = new Map([
    ['used', 'revoke'],
    ['page', 'keep'],
  ] as const);
  expect(choicesOf(rows, chosen)).toEqual({ revoke: ['used', 'spare', 'install', 'link'], replace: [] });
});

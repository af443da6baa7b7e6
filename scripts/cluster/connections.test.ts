import { expect, test } from 'vitest';
import { type PlacedPod, type Policy, allowing, parseConnections } from './testing/connections.ts';

test('a connection through a Service is one to the address behind it', () => {
  const text = [
    '    [NEW] tcp      6 120 SYN_SENT src=10.244.1.5 dst=10.96.0.1 sport=40112 dport=443 [UNREPLIED] src=172.18.0.2 dst=10.244.1.5 sport=6443 dport=40112',
    '    [NEW] udp      17 30 src=10.244.1.5 dst=10.96.0.10 sport=5000 dport=53 [UNREPLIED] src=10.244.0.2 dst=10.244.1.5 sport=53 dport=5000',
    '    [NEW] icmp     1 30 src=10.0.0.1 dst=10.0.0.2 type=8 code=0 id=1 [UNREPLIED] src=10.0.0.2 dst=10.0.0.1 type=0 code=0 id=1',
    'conntrack v1.4.7 (conntrack-tools): 3 flow events have been shown.',
  ].join('\n');
  expect(parseConnections(text)).toEqual([
    { from: '10.244.1.5', to: '172.18.0.2', port: 6443, protocol: 'TCP' },
    { from: '10.244.1.5', to: '10.244.0.2', port: 53, protocol: 'UDP' },
  ]);
});

const pod = (app: string): PlacedPod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: app, labels: { app } },
  spec: { containers: [{ ports: [{ name: 'http', containerPort: 8420 }] }] },
  status: { podIP: '10.0.0.1' },
});
const policy = (app: string, spec: Omit<Policy['spec'], 'podSelector'>): Policy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: app },
  spec: { podSelector: { matchLabels: { app } }, ...spec },
});

test('a rule allows its peers at its ports, and nothing else', () => {
  const policies = [
    policy('agent', {
      ingress: [],
      egress: [{ to: [{ podSelector: { matchLabels: { app: 'api' } } }], ports: [{ port: 8420, protocol: 'TCP' }] }],
    }),
    policy('api', { ingress: [{ ports: [{ port: 'http', protocol: 'TCP' }] }], egress: [{}] }),
  ];
  const [agent, api] = [pod('agent'), pod('api')];
  const opened = { from: 'a', to: 'b', port: 8420, protocol: 'TCP' } as const;
  const count = (own: PlacedPod, peer: PlacedPod | undefined, direction: 'ingress' | 'egress', change = {}) =>
    allowing(policies, { own, peer, direction }, { ...opened, ...change })?.length;
  expect(count(agent, api, 'egress')).toBe(1);
  expect(count(agent, api, 'egress', { port: 80 })).toBe(0);
  expect(count(agent, api, 'egress', { protocol: 'UDP' })).toBe(0);
  expect(count(agent, undefined, 'egress')).toBe(0);
  expect(count(agent, api, 'ingress')).toBe(0);
  expect(count(api, agent, 'ingress')).toBe(1);
  expect(count(api, undefined, 'egress', { port: 25 })).toBe(1);
  expect(count(pod('other'), api, 'egress')).toBeUndefined();
});

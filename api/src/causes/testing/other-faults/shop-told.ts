import type { Evidence, EventSeen, NodeSeen, ObjectSeen, PodSeen, Point } from '../../evidence.ts';
import {
  CLUSTER,
  ago,
  podOf,
  healthyShop,
  withPods,
  withFields,
  change,
  field,
  hiddenField,
  alert,
  event,
  lastWords,
  notReady,
} from '../shop.ts';
import type { OtherFault } from './host-told.ts';

/** Faults of clusters of kinds that neither the lab nor the other tests have. */

export type Change = (evidence: Evidence) => Evidence;
export const fault = (
  id: string,
  right: readonly RegExp[],
  more: Pick<OtherFault, 'all' | 'never' | 'untrue' | 'isHard'>,
  ...steps: readonly Change[]
): OtherFault => ({ id, right, ...more, evidence: steps.reduce((evidence, each) => each(evidence), healthyShop()) });
export const add =
  (more: Partial<Evidence>): Change =>
  (evidence) => ({
    ...evidence,
    ...Object.fromEntries(
      Object.entries(more).map(([part, list]) => [part, [...(evidence[part as 'pods'] as unknown[]), ...(list as [])]]),
    ),
  });
export const pods =
  (app: string, of: (pod: PodSeen) => PodSeen): Change =>
  (evidence) =>
    withPods(evidence, app, of);
export const nodes =
  (name: string, of: (node: NodeSeen) => NodeSeen): Change =>
  (evidence) => ({ ...evidence, nodes: evidence.nodes.map((node) => (node.name === name ? of(node) : node)) });
export const fields =
  (kind: string, name: string, of: Parameters<typeof withFields>[3]): Change =>
  (evidence) =>
    withFields(evidence, kind, name, of);
export const POD = (app: string, index = 0): string => `${app}-6f7d8c9b5d-x${String(index)}k4p`;
export const object = (
  kind: string,
  name: string,
  own: Record<string, string>,
  of: Partial<ObjectSeen> = {},
): ObjectSeen => ({
  clusterId: CLUSTER,
  namespace: 'shop',
  kind,
  name,
  fields: own,
  hidden: [],
  ...of,
});
export const nodeAlert = (name: string, metric: string, minutes: number) =>
  alert(name, metric, minutes, { object: { clusterId: CLUSTER, namespace: null, kind: 'Node', name } });
export const stepped = (was: number, is: number, minutes: number): Point[] =>
  Array.from({ length: 60 }, (_, index) => ({ at: ago(60 - index), value: 60 - index > minutes ? was : is }));
export const ready = (app: string, minutes: number, before = '1', after = '2') =>
  change('EndpointSlice', `${app}-abcde`, minutes, [field('readyAddresses', before, after)], {
    by: 'kube-controller-manager',
  });
export const unhealthy = (
  app: string,
  words = 'Readiness probe failed: HTTP probe failed with statuscode: 503',
  minutes = 6,
) => event(['Pod', POD(app)], 'Unhealthy', words, minutes);
const CHECK = {
  id: 'check-1',
  name: 'shop',
  target: 'GET https://shop.example.net/',
  status: 'down',
  since: ago(3),
  reason: 'status_unexpected',
  serverId: null,
};
export const checkFails = (minutes = 2, metric = 'check_failed'): Change =>
  add({
    checks: [CHECK],
    alerts: [alert('shop', metric, minutes, { object: null, subject: CHECK.id, title: 'Check shop failed' })],
  });
export const frontSuffers = (words = ''): Change[] => [
  pods('front', (pod) => notReady(pod)),
  add({
    alerts: [alert('front', 'replicas_missing', 1)],
    events: [unhealthy('front')],
    lines: words === '' ? [] : [lastWords(POD('front'), words, 4)],
  }),
];
/** Rollouts of neighbours that went well, an autoscaler, a new ConfigMap and a marked change. */
export const decoys = add({
  changes: [
    change('Deployment', 'payments', 22, [field('containers.app.image', 'shop/payments:0.9', 'shop/payments:1.0')]),
    ready('payments', 21),
    change('Deployment', 'redis', 12, [hiddenField('containers.app.env.MOTTO')]),
    ready('redis', 11, '0', '1'),
    change('HorizontalPodAutoscaler', 'front', 15, [field('maxReplicas', '6', '8')]),
    change('ConfigMap', 'banner', 9, [hiddenField('data.text')]),
    change('ConfigMap', 'banner-2', 8, [], { action: 'added' }),
  ],
});
export const DECOYS = [/payments/, /redis/, /banner/, /HorizontalPodAutoscaler/];
export const evictedFor = (message: string, minutes = 5): EventSeen[] => [
  event(['Pod', POD('payments')], 'Evicted', message, minutes),
];
export const elsewhere = (name: string, namespace: string, of: Partial<PodSeen> = {}): PodSeen =>
  podOf({ name, namespace, image: `${name}:1` }, 0, of);

import type { NodeObject, PodObject } from '@plimsoll/contract/wire/cluster-objects';
import type { Answer, TestApp, TestUser } from './app.ts';
import * as kube from './kubernetes.ts';

/** A cluster of an account, reported through the API as its collector does it. */
export interface ReportingCluster {
  id: string;
  /** Token of its collectors. */
  token: string;
  report(reports: unknown[], more?: Record<string, unknown>): Promise<Answer>;
  /** Objects of this cluster: the same name in another one is another object. */
  node(name: string): NodeObject;
  pod(name: string, parts?: Partial<PodObject>): PodObject;
}

let serial = 0;

export async function reportingCluster(app: TestApp, user: TestUser): Promise<ReportingCluster> {
  const made = await app.call('POST', '/api/user/cluster-tokens', { token: user.token, body: { name: 'prod' } });
  const { token } = made.json.data as unknown as { token: string };
  serial += 1;
  const own = String(serial);
  const id = `uid-of-kube-system-${own}`;
  return {
    id,
    token,
    report: (reports, more = {}) =>
      app.call('POST', '/api/agent/v1/cluster/reports', { token, body: { ...kube.envelope(id), reports, ...more } }),
    node: (name) => kube.nodeObject(name, { uid: `${name}-${own}` }),
    pod: (name, parts = {}) => kube.podObject(name, { uid: `${name}-${own}`, ...parts }),
  };
}

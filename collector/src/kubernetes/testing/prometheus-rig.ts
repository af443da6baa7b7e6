import type { ContainerEnd, NodeObject } from '@plimsoll/contract/wire/cluster-objects';
import type { HistoryPart } from '@plimsoll/contract/wire/cluster-report';
import { onTestFinished } from 'vitest';
import { createDigester } from '../changes/described.ts';
import { DescribedState } from '../changes/described-state.ts';
import { ClusterState } from '../report/cluster-state.ts';
import type { ProjectedPod } from '../watch/pods.ts';
import { type HistoryTaker, Prometheus } from '../prometheus/prometheus.ts';
import { PrometheusApi } from '../prometheus/api.ts';
import { FakeTiming } from './fake-timing.ts';
import { StandInPrometheus } from './stand-in-prometheus.ts';

export const DAY_SECONDS = 86_400;
export const nodeAt = (name: string, ip: string): NodeObject =>
  ({ uid: name, name, internal_ip: ip, created_at: 0 }) as NodeObject;

export interface PrometheusRig {
  server: StandInPrometheus;
  address: string;
  api: PrometheusApi;
  timing: FakeTiming;
  state: ClusterState;
  prometheus: Prometheus;
  /** Epoch seconds. */
  now: number;
  /** Windows of the past that were taken. */
  told: HistoryPart[];
  taker: { historyWanted: HistoryTaker['historyWanted']; tellHistory: HistoryTaker['tellHistory'] };
  log: string[];
}

/** A cluster of the node "worker" with the pod shop/web, and a Prometheus whose answers a test sets. */
export async function prometheusRig(): Promise<PrometheusRig> {
  const server = new StandInPrometheus();
  const timing = new FakeTiming();
  const now = timing.now() / 1000;
  const state = new ClusterState(timing, new DescribedState([], createDigester('token')));
  state.nodes.upsert(nodeAt('worker', '10.0.0.2'));
  state.pods.upsert(podOf('web', now));
  const address = await server.start();
  const api = new PrometheusApi(`${address}/`);
  onTestFinished(async () => {
    api.close();
    await server.stop();
  });
  const log: string[] = [];
  const say = (level: string, message: string, fields = {}): void =>
    void log.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const told: HistoryPart[] = [];
  const taker = {
    historyWanted: null,
    tellHistory: (parts: HistoryPart[]) => {
      told.push(...parts);
      return Promise.resolve(null);
    },
  };
  const prometheus = new Prometheus({ api, state, timing, log: say });
  return { server, address, api, timing, state, prometheus, now, told, taker, log };
}

export const podOf = (name: string, now: number, parts: Partial<ProjectedPod> = {}): ProjectedPod =>
  ({
    uid: `uid-${name}`,
    namespace: 'shop',
    name,
    node_name: 'worker',
    created_at: now - 30 * DAY_SECONDS,
    containers: [],
    controller: { kind: 'StatefulSet', name: 'db', uid: 'w' },
    ...parts,
  }) as unknown as ProjectedPod;

export const endsIn = (state: ClusterState): ContainerEnd[] => state.draft(false).part.ends ?? [];

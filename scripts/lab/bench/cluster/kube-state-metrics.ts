import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ApiServer } from './api-server.ts';
import { freePort, TOKEN } from './api-server.ts';
import { cpuSeconds, memoryMb } from './process.ts';

const LIST_MS = 180_000;
/** As its own documentation and the collector's cluster role have it: the objects both of them watch. */
const RESOURCES =
  'nodes,pods,namespaces,persistentvolumeclaims,deployments,replicasets,statefulsets,daemonsets,jobs,cronjobs';

export interface StateMetricsFigures {
  listedSeconds: number;
  listCpuSeconds: number;
  rssMb: number;
  mostRssMb: number;
  /** Per cent of one core while objects change and one scrape a minute reads all. */
  cpuPercent: number;
  scrapeMb: number;
}

/** Runs kube-state-metrics on the same objects and the same `changes`, which go on for their own time. */
export async function measureStateMetrics(
  { bin, folder, api, pods }: { bin: string; folder: string; api: ApiServer; pods: number },
  changes: () => Promise<void>,
): Promise<StateMetricsFigures> {
  const [port, telemetryPort] = [await freePort(), await freePort()];
  const kubeconfig = join(folder, 'kubeconfig.json');
  const cluster = { server: `https://${api.host}:${api.port}`, 'insecure-skip-tls-verify': true };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'bench', cluster }],
      users: [{ name: 'bench', user: { token: TOKEN } }],
      contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
      'current-context': 'bench',
    }),
  );
  const places = [`--kubeconfig=${kubeconfig}`, '--host=127.0.0.1', '--telemetry-host=127.0.0.1'];
  const ports = [`--port=${port}`, `--telemetry-port=${telemetryPort}`];
  const started = Date.now();
  const child = spawn(join(bin, 'kube-state-metrics'), [...places, ...ports, `--resources=${RESOURCES}`], {
    stdio: 'ignore',
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('kube-state-metrics did not start');
  try {
    const scrape = () =>
      fetch(`http://127.0.0.1:${port}/metrics`).then(
        (answer) => answer.text(),
        () => '',
      );
    while (countOf(await scrape(), 'kube_pod_info') < pods) {
      if (Date.now() - started > LIST_MS) throw new Error('kube-state-metrics: no full listing within three minutes');
      await setTimeout(2000);
    }
    const listedSeconds = (Date.now() - started) / 1000;
    const listCpuSeconds = cpuSeconds(pid);
    const from = Date.now();
    const [text] = await Promise.all([scrape(), changes()]);
    const cpuPercent = ((cpuSeconds(pid) - listCpuSeconds) / ((Date.now() - from) / 1000)) * 100;
    const [rssMb, mostRssMb] = [memoryMb(pid, 'VmRSS'), memoryMb(pid, 'VmHWM')];
    return { listedSeconds, listCpuSeconds, rssMb, mostRssMb, cpuPercent, scrapeMb: text.length / 2 ** 20 };
  } finally {
    child.kill('SIGTERM');
  }
}

const countOf = (text: string, metric: string): number => text.split(`\n${metric}{`).length - 1;

import { spawn } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiServer, TOKEN } from '../bench/cluster/api-server.ts';

/** Starts the real kube-scheduler with its default profile; it judges every node of a cluster. Returns how to stop it. */
export function startScheduler(bin: string, folder: string, api: ApiServer): () => void {
  const kubeconfig = join(folder, 'scheduler.json');
  const cluster = { server: `https://${api.host}:${String(api.port)}`, 'insecure-skip-tls-verify': true };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'lab', cluster }],
      users: [{ name: 'lab', user: { token: TOKEN } }],
      contexts: [{ name: 'lab', context: { cluster: 'lab', user: 'lab' } }],
      'current-context': 'lab',
    }),
  );
  const config = join(folder, 'scheduler-config.json');
  writeFileSync(
    config,
    JSON.stringify({
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      clientConnection: { kubeconfig, qps: 1000, burst: 2000 },
      leaderElection: { leaderElect: false },
      percentageOfNodesToScore: 100,
    }),
  );
  const child = spawn(join(bin, 'kube-scheduler'), [`--config=${config}`, '--secure-port=0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(join(folder, 'kube-scheduler.log'));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  return () => void child.kill('SIGKILL');
}

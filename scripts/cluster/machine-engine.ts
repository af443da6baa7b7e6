import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from './engine.ts';
import { cacheRoot, runFolder } from './places.ts';
import { buildCommands, saveCommand } from '../images/commands.ts';
import { show, step, succeeds } from './shell.ts';

/** kind's own node image; PLIMSOLL_NODE_IMAGE sets another. */
export const NODE_IMAGE = 'docker.io/kindest/node:v1.34.0';
/** Go modules of the tools that `go install` can build. kubectl's module has replacements, which it refuses. */
const INSTALLABLE: Record<string, string> = {
  kind: 'sigs.k8s.io/kind@v0.30.0',
  helm: 'helm.sh/helm/v4/cmd/helm@v4.3.1',
};
const REMEDIES: Record<string, string> = {
  kind: 'Install kind (https://kind.sigs.k8s.io) or Go',
  helm: 'Install Helm (https://helm.sh/docs/intro/install) or Go',
  kubectl: 'Install kubectl (https://kubernetes.io/docs/tasks/tools)',
};
export const METRICS_SERVER_VERSION = 'v0.9.0';
export const KUBE_STATE_METRICS_VERSION = 'v2.18.0';
export const PROMETHEUS_VERSION = 'v3.5.0';

const root = join(import.meta.dirname, '../..');

/** Returns the first container engine of this machine that runs. */
export const runningProgram = (): Engine['program'] | null =>
  (['docker', 'podman'] as const).find((program) => succeeds(program, ['info'])) ?? null;

/** Returns true if the engine holds `image` or can pull it. */
export const canPull = (program: Engine['program'], image: string): boolean =>
  succeeds(program, ['image', 'inspect', image]) || succeeds(program, ['pull', '-q', image], { timeout: 600 });

/** Returns the machine's own Docker or Podman, with kind, kubectl and helm from its PATH. */
export function machineEngine(program: Engine['program'], nodeImage: string): Engine {
  const run = runFolder(process.env);
  const bin = join(cacheRoot(process.env), 'bin');
  const env = {
    PATH: [process.env.PATH, bin].join(':'),
    ...(program === 'podman' ? { KIND_EXPERIMENTAL_PROVIDER: program } : {}),
  };
  const isThere = (command: string) => succeeds('sh', ['-c', `command -v ${command}`], { env });
  return {
    program,
    nodeImage,
    kindConfig: join(import.meta.dirname, 'kind.yaml'),
    env,
    images: {
      metricsServer: `registry.k8s.io/metrics-server/metrics-server:${METRICS_SERVER_VERSION}`,
      kubeStateMetrics: `registry.k8s.io/kube-state-metrics/kube-state-metrics:${KUBE_STATE_METRICS_VERSION}`,
      prometheus: `quay.io/prometheus/prometheus:${PROMETHEUS_VERSION}`,
      busybox: 'docker.io/library/busybox:1.37',
    },
    inside: (command, args) => [command, args],
    bringTools: async () => {
      for (const [command, remedy] of Object.entries(REMEDIES)) {
        if (isThere(command)) continue;
        const module = INSTALLABLE[command];
        if (module === undefined || !isThere('go')) throw new Error(`${command}: no such command. ${remedy}.`);
        await step(`go install ${module}`, () => show('go', ['install', module], { env: { ...env, GOBIN: bin } }));
      }
    },
    start: () => {
      mkdirSync(run, { recursive: true });
      return Promise.resolve();
    },
    addOnArchives: () => [],
    buildImage: async (build, archive) => {
      const commands = [...buildCommands(program, build), saveCommand(program, build.reference, archive)];
      for (const [command = '', ...args] of commands) await show(command, args, { cwd: root, env });
    },
    // Docker's own store holds one platform only.
    platforms: [],
    pushImage: async (build) => {
      const commands = buildCommands(program, { ...build, push: true, plainHttp: true });
      for (const [command = '', ...args] of commands) await show(command, args, { cwd: root, env });
    },
    stop: () => {
      rmSync(run, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

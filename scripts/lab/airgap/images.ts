import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImageContent, writeArchive } from './archive.ts';
import { capture } from '../../cluster/shell.ts';
import {
  COREDNS_VERSION,
  ETCD_VERSION,
  KUBERNETES_VERSION,
  KUBE_STATE_METRICS_VERSION,
  LOCAL_PATH_VERSION,
  METRICS_SERVER_VERSION,
  PROMETHEUS_VERSION,
} from './tools.ts';

/** In the node image: kubeadm's own, and what stands in for kind's CNI and storage images. */
export const NODE_IMAGES = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'etcd',
  'coredns',
  'pause',
  'node-network',
  'local-path-provisioner',
  'local-path-helper',
] as const;
/** Loaded into a running cluster. `busybox` is what the tests' own pods run. */
export const ADD_ON_IMAGES = ['metrics-server', 'kube-state-metrics', 'prometheus', 'busybox'] as const;

/** With promtool beside it, where the published image has it too. */
export const PROMETHEUS_IMAGE = `localhost/prometheus:${PROMETHEUS_VERSION}`;

/** The parent of every container: reaps children, ends on SIGTERM. Kubernetes' own is not among its Go modules. */
const PAUSE = `#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static void reap(int s) { while (waitpid(-1, 0, WNOHANG) > 0); }
static void end(int s) { _exit(0); }
int main(void) { signal(SIGCHLD, reap); signal(SIGTERM, end); signal(SIGINT, end); for (;;) pause(); }
`;

const certificates = { '/etc/ssl/certs/ca-certificates.crt': '/etc/ssl/certs/ca-certificates.crt' };

/**
 * Everything the images are made of. `busybox`: a static one; `xtables`: programs with their libraries, for kube-proxy.
 */
interface Sources {
  bin: string;
  busybox: string;
  helper: string;
  xtables: string;
  pause: string;
}

function contents(from: Sources): Record<string, ImageContent> {
  const binary = (name: string) => join(from.bin, name);
  const control = (name: string) => ({
    name: `localhost/${name}:${KUBERNETES_VERSION}`,
    files: { [`/usr/local/bin/${name}`]: binary(name), ...certificates },
  });
  const addOn = (name: string, version: string) => ({
    name: `localhost/${name}:${version}`,
    entrypoint: `/${name}`,
    files: { [`/${name}`]: binary(name), ...certificates },
  });
  return {
    'kube-apiserver': control('kube-apiserver'),
    'kube-controller-manager': control('kube-controller-manager'),
    'kube-scheduler': control('kube-scheduler'),
    'kube-proxy': {
      name: `localhost/kube-proxy:${KUBERNETES_VERSION}`,
      files: { '/': from.xtables, '/usr/local/bin/kube-proxy': binary('kube-proxy') },
    },
    etcd: { name: `localhost/etcd:${ETCD_VERSION}`, files: { '/usr/local/bin/etcd': binary('etcd') } },
    coredns: addOn('coredns', COREDNS_VERSION),
    pause: { name: 'localhost/pause:3.10', entrypoint: '/pause', files: { '/pause': from.pause } },
    'node-network': { name: 'localhost/node-network:local', files: { '/bin/busybox': from.busybox } },
    'local-path-provisioner': {
      name: `localhost/local-path-provisioner:${LOCAL_PATH_VERSION}`,
      files: { '/usr/local/bin/local-path-provisioner': binary('local-path-provisioner') },
    },
    'local-path-helper': { name: 'localhost/local-path-helper:local', files: { '/': from.helper } },
    'metrics-server': addOn('metrics-server', METRICS_SERVER_VERSION),
    'kube-state-metrics': addOn('kube-state-metrics', KUBE_STATE_METRICS_VERSION),
    prometheus: {
      name: PROMETHEUS_IMAGE,
      entrypoint: '/bin/prometheus',
      files: {
        '/bin/prometheus': binary('prometheus'),
        '/bin/promtool': binary('promtool'),
        ...certificates,
      },
    },
    busybox: { name: 'localhost/busybox:local', files: { '/': from.helper } },
  };
}

/** Compiles the pause binary once; needs a C compiler with a static libc. */
export function compilePause(folder: string): string {
  const out = join(folder, 'pause');
  if (existsSync(out)) return out;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'pause.c'), PAUSE);
  capture('gcc', ['-Os', '-static', '-s', '-o', out, join(folder, 'pause.c')]);
  return out;
}

/** Writes `<folder>/<name>.tar` for every name that is not there yet. Returns the paths. */
export function writeImages(names: readonly string[], folder: string, from: Sources): string[] {
  const all = contents(from);
  return names.map((name) => {
    const out = join(folder, `${name}.tar`);
    const content = all[name];
    if (!content) throw new Error(`no image is called ${name}`);
    if (!existsSync(out)) writeArchive(out, content);
    return out;
  });
}

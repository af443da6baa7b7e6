import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubernetesObject, NAMESPACES } from './random-cluster.ts';

/** Rows of a file with a line of names. No field holds a comma. */
function rowsOf(file: string): Record<string, string>[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const names = head.trim().split(',');
  return lines.map((line) => {
    const cells = line.trim().split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

const ZONE = 'topology.kubernetes.io/zone';
const RACKS = 60;

/**
 * Nodes and the first pods of a trace of a cluster with GPUs: nodes.csv has sn, cpu_milli, memory_mib and gpu, pods.csv
 * cpu_milli, memory_mib and num_gpu. Nearly all of them fit, so nodes get taints, zones and racks, and of ten pods seven
 * a constraint, and each refuses some.
 */
export function readTrace(folder: string, podCount: number) {
  const rows = rowsOf(join(folder, 'nodes.csv'));
  const nodes = rows.map((row, index): KubernetesObject => {
    const sizes = {
      cpu: `${String(row['cpu_milli'])}m`,
      memory: `${String(row['memory_mib'])}Mi`,
      pods: '110',
      ...(row['gpu'] === '0' ? {} : { 'nvidia.com/gpu': String(row['gpu']) }),
    };
    const name = `trace-${String(index)}`;
    const labels = {
      'kubernetes.io/hostname': name,
      [ZONE]: `z${String(index % 3)}`,
      rack: String(index % RACKS),
      ...(index % 11 === 0 ? { dedicated: 'yes' } : {}),
    };
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels },
      spec: {
        ...(index % 11 === 0 ? { taints: [{ key: 'dedicated', value: 'yes', effect: 'NoSchedule' }] } : {}),
        ...(index % 97 === 0 ? { unschedulable: true } : {}),
      },
      status: { capacity: sizes, allocatable: sizes, conditions: [{ type: 'Ready', status: 'True' }] },
    };
  });
  const volumes = Array.from({ length: 40 }, (_, index) => [`trace-${String(index * 7)}`]);
  const pods = rowsOf(join(folder, 'pods.csv'))
    .slice(0, podCount)
    .map((row, index): KubernetesObject => {
      const gpus = row['num_gpu'] === '0' || row['num_gpu'] === '' ? {} : { 'nvidia.com/gpu': String(row['num_gpu']) };
      const requests = { cpu: `${String(row['cpu_milli'])}m`, memory: `${String(row['memory_mib'])}Mi`, ...gpus };
      const container = { name: 'c', image: 'none', resources: { requests, limits: gpus } };
      return {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: `trace-pod-${String(index)}`,
          namespace: NAMESPACES[0],
          labels: { app: `a${String(index % 10)}` },
        },
        spec: constrained(index, container, volumes.length),
      };
    });
  return { nodes, volumes, pods };
}

function constrained(index: number, container: Record<string, unknown>, volumes: number): object {
  const rack = { rack: String(Math.floor(index / 10) % RACKS) };
  const same = { matchLabels: { app: `a${String(index % 10)}` } };
  switch (index % 10) {
    // The nodes are tainted.
    case 1:
      return { containers: [container], nodeSelector: { dedicated: 'yes' } };
    case 2:
      return {
        containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 80 }] }],
        nodeSelector: { rack: '1' },
      };
    case 3: {
      const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: same };
      const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
      return { containers: [container], nodeSelector: { rack: '2' }, affinity };
    }
    case 4: {
      const spread = { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector: same };
      // A rack lies in one zone, so that the second pod breaks the skew.
      return {
        containers: [container],
        nodeSelector: rack,
        topologySpreadConstraints: [{ ...spread, nodeAffinityPolicy: 'Ignore' }],
      };
    }
    case 5: {
      const claimName = `claim-${String(Math.floor(index / 10) % volumes)}-${NAMESPACES[0] ?? ''}`;
      return {
        containers: [container],
        ...(index % 20 === 5 ? { nodeSelector: { rack: '3' } } : {}),
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
      };
    }
    case 6: {
      const term = { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'nothing' } } };
      const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
      return index % 20 === 6 ? { containers: [container], affinity } : { containers: [container], nodeSelector: rack };
    }
    case 7:
      return {
        containers: [
          { ...container, resources: { requests: { cpu: index % 20 === 7 ? '500' : '90', memory: '1Gi' } } },
        ],
      };
    default:
      return { containers: [container] };
  }
}

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULTS, type Settings } from '../settings.ts';
import { temporaryFolder } from '../testing/folder.ts';
import type { NodeSettings } from './settings.ts';
import { filesOfHost, nodeSources } from './sources.ts';

const LINUX = join(import.meta.dirname, '../../fixtures/linux/debian-12-firecracker');

/** A mounted service account, and the settings of a node agent. */
function node(change: Partial<NodeSettings> = {}): NodeSettings {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'ca.crt'), 'the authority');
  writeFileSync(join(folder, 'token'), 'token');
  return {
    clusterToken: 'plm_cluster_x',
    nodeName: 'worker-1',
    nodeIp: '127.0.0.1',
    mode: 'proc',
    hostRoot: LINUX,
    kubeletCaFile: null,
    insecureSkipVerify: false,
    serviceAccountDir: folder,
    ...change,
  };
}
const namesOf = (settings: Partial<Settings>, change?: Partial<NodeSettings>): string[] =>
  nodeSources({ ...DEFAULTS, ...settings }, node(change)).map(({ name }) => name);
const MOUNTED = ['system', 'cpu', 'memory', 'load', 'pressure', 'disk-io', 'network', 'processes', 'connections'];

describe('nodeSources', () => {
  it.each(['proc', 'full'] as const)('mode %s reads what is mounted, and the kubelet', (mode) => {
    const names = namesOf({}, { mode });
    expect(names.toSorted()).toEqual([...MOUNTED, 'kubelet'].toSorted());
    expect(names.at(-1)).toBe('kubelet');
  });

  it('mode kubelet reads nothing of a host that is not mounted', () => {
    expect(namesOf({}, { mode: 'kubelet' })).toEqual(['system', 'kubelet']);
  });

  it('leaves out what the owner disabled, also what it never reads', () => {
    const names = namesOf({ disabled_sources: ['processes', 'connections', 'units'] });
    expect(names).not.toContain('processes');
    expect(names).not.toContain('connections');
    expect(names).toContain('cpu');
  });

  it('refuses a name that is no source, as on a host', () => {
    expect(() => namesOf({ disabled_sources: ['proceses'] })).toThrow('disabled_sources: unknown source "proceses"');
  });

  it('goes by the name of the node, not of the pod', async () => {
    const [system] = nodeSources(DEFAULTS, node()).filter(({ name }) => name === 'system');
    const taken = await system?.read({ ts: 1_795_000_000, up: 100 });
    expect(taken?.part.system).toMatchObject({ hostname: 'worker-1', os_name: expect.stringContaining('Debian') });
  });

  it('names the certificate of the kubelet’s authority when it is missing', () => {
    expect(() => nodeSources(DEFAULTS, node({ kubeletCaFile: '/nowhere/ca.crt' }))).toThrow('/nowhere/ca.crt');
    expect(() => nodeSources(DEFAULTS, node({ serviceAccountDir: '/nowhere' }))).toThrow('/nowhere/ca.crt');
  });

  it('a kubelet that does not answer is told in the report, beside the rest', async () => {
    const kubelet = nodeSources(DEFAULTS, node({ mode: 'kubelet' })).at(-1);
    const taken = await kubelet?.read({ ts: 100, up: 1 });
    expect(taken?.part.kubernetes).toMatchObject({
      node_name: 'worker-1',
      mode: 'kubelet',
      kubelet: { state: 'unreachable', needs: 'get nodes/stats' },
      node: null,
    });
  });
});

describe('filesOfHost', () => {
  it('reads the network of process 1: the one beside it is the pod’s own', () => {
    const root = temporaryFolder();
    for (const [folder, text] of [
      ['proc/net', 'the pod'],
      ['proc/1/net', 'the node'],
    ] as const) {
      mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, folder, 'tcp'), text);
      symlinkSync(text, join(root, folder, 'link'));
    }
    const files = filesOfHost(root);
    const lines: string[] = [];
    files.lines('proc/net/tcp', (bytes, from, to) => lines.push(bytes.toString('latin1', from, to)));
    expect([
      files.text('proc/net/tcp'),
      files.optional('proc/net/tcp'),
      files.bytes('proc/net/tcp').toString(),
      files.tail('proc/net/tcp', 4),
      files.link('proc/net/link'),
      lines,
    ]).toEqual(['the node', 'the node', 'the node', 'node', 'the node', ['the node']]);
    expect(files.stat('proc/net/tcp')?.bytes).toBe(8);
    expect(files.list('proc/net/')).toContain('tcp');
    writeFileSync(join(root, 'proc/stat'), 'cpu');
    expect(files.text('proc/stat')).toBe('cpu');
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeFiles } from '../../testing/captured.ts';
import { containerNames } from './container-names.ts';

const ID = '5f0c1de2a9b8473695e4d3c2b1a0f9e8d7c6b5a493827160f1e2d3c4b5a69788';
const DOCKER = `var/lib/docker/containers/${ID}/config.v2.json`;
const containerd = (namespace: string): string =>
  `run/containerd/io.containerd.runtime.v2.task/${namespace}/${ID}/config.json`;
const PODMAN = 'var/lib/containers/storage/overlay-containers/containers.json';
const UNKNOWN = { name: null, image: null };

const nameOf = (files: Record<string, unknown>) =>
  containerNames(
    fakeFiles(Object.fromEntries(Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)]))),
  )(ID);

describe('containerNames', () => {
  it('reads what Docker keeps', () => {
    expect(nameOf({ [DOCKER]: { Name: '/web', Config: { Image: 'nginx:1.27' } } })).toEqual({
      name: 'web',
      image: 'nginx:1.27',
    });
  });

  it('reads no state file above 1 MiB', () => {
    expect(nameOf({ [DOCKER]: { Name: '/web', Args: ['x'.repeat(1_048_576)] } })).toEqual(UNKNOWN);
  });

  it('takes one slash from the name, and no other', () => {
    expect(nameOf({ [DOCKER]: { Name: '/a/b' } })).toEqual({ name: 'a/b', image: null });
  });

  it.each<[string, Record<string, string>, { name: string | null; image: string | null }]>([
    [
      'the pod and its container',
      {
        'io.kubernetes.cri.sandbox-name': 'web-1',
        'io.kubernetes.cri.container-name': 'app',
        'io.kubernetes.cri.image-name': 'registry.example/web:1',
      },
      { name: 'web-1/app', image: 'registry.example/web:1' },
    ],
    ['the container alone', { 'io.kubernetes.cri.container-name': 'app' }, { name: 'app', image: null }],
    ['the pod alone', { 'io.kubernetes.cri.sandbox-name': 'web-1' }, { name: 'web-1', image: null }],
    ['nothing but a host name', {}, { name: 'box', image: null }],
  ])('reads %s from a bundle of containerd', (_what, annotations, identity) => {
    for (const namespace of ['k8s.io', 'moby', 'default']) {
      expect(nameOf({ [containerd(namespace)]: { hostname: 'box', annotations } })).toEqual(identity);
    }
  });

  it('reads the list of Podman', () => {
    const others = [{ id: 'other', names: ['no'] }, null, 7, { names: ['nobody'] }];
    const metadata = JSON.stringify({ 'image-name': 'docker.io/library/redis:7' });
    expect(nameOf({ [PODMAN]: [...others, { id: ID, names: ['cache', 'alias'], metadata }] })).toEqual({
      name: 'cache',
      image: 'docker.io/library/redis:7',
    });
    expect(nameOf({ [PODMAN]: others })).toEqual(UNKNOWN);
  });

  it('asks Docker before the others', () => {
    const found = nameOf({
      [PODMAN]: [{ id: ID, names: ['podman'] }],
      [containerd('default')]: { hostname: 'containerd' },
      [DOCKER]: { Name: '/docker' },
    });
    expect(found.name).toBe('docker');
  });

  it('cuts a name to what the wire takes, between two characters', () => {
    const { name } = nameOf({ [DOCKER]: { Name: `/${'é'.repeat(300)}`, Config: { Image: '' } } });
    expect(name).toBe('é'.repeat(128));
  });

  it('lives with any shape of these files: others write them', () => {
    const path = fc.constantFrom(DOCKER, PODMAN, containerd('k8s.io'));
    const keys = fc.constantFrom('Name', 'Config', 'Image', 'annotations', 'hostname', 'id', 'names', 'metadata');
    const odd = fc.dictionary(keys, fc.oneof(fc.jsonValue(), fc.constant(ID)));
    fc.assert(
      fc.property(path, fc.oneof(fc.jsonValue(), odd, fc.array(odd)), (file, value) => {
        const { name, image } = nameOf({ [file]: value });
        for (const text of [name, image]) expect(text === null || text.length > 0).toBe(true);
      }),
    );
  });

  it('takes a file that is cut for none', () => {
    const whole = JSON.stringify({ Name: '/web', Config: { Image: 'nginx' } });
    for (let end = 0; end < whole.length; end += 1)
      expect(containerNames(fakeFiles({ [DOCKER]: whole.slice(0, end) }))(ID)).toEqual(UNKNOWN);
  });

  it('looks once for each container, found or not, and forgets none of a thousand', () => {
    const files = fakeFiles({ [DOCKER]: '{"Name":"/web"}' });
    let reads = 0;
    const optional = (path: string): string | null => {
      reads += 1;
      return files.optional(path);
    };
    const names = containerNames({ ...files, optional });
    const ids = [ID, ...Array.from({ length: 999 }, (_, index) => `id-${index}`)];
    for (const id of ids) names(id);
    const first = reads;
    for (const id of ids) names(id);
    expect([first > 999, reads]).toEqual([true, first]);
  });

  it('does not remember for ever what came and went', () => {
    const texts: Record<string, string> = {};
    const names = containerNames(fakeFiles(texts));
    expect(names(ID)).toEqual(UNKNOWN);
    texts[DOCKER] = '{"Name":"/late"}';
    expect(names(ID)).toEqual(UNKNOWN);
    for (let index = 0; index < 1001; index += 1) names(`id-${index}`);
    expect(names(ID).name).toBe('late');
  });
});

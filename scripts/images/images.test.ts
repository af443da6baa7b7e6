import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../lib/web-build.ts';
import { type Build, buildCommands, saveCommand } from './commands.ts';
import { IMAGES } from './images.ts';
import { labelsOf, sourceOf } from './labels.ts';
import { readOptions } from './options.ts';

const options = (...words: string[]) => readOptions(['--registry', 'registry.example.com/team', ...words], '0.1.0');

describe('options', () => {
  test('all images, with the version as their tag', () => {
    expect(options()).toMatchObject({
      registry: 'registry.example.com/team',
      tag: '0.1.0',
      push: false,
      images: IMAGES,
    });
    expect(readOptions(['--registry', 'localhost:5000/'], '1').registry).toBe('localhost:5000');
  });

  test.each([
    [[], '--registry is missing'],
    [['--registry', 'https://registry.example.com'], 'without https://'],
    [['--registry', 'registry.example.com/Team'], 'in lower case'],
    [['--registry', 'r', '--tag', 'a b'], '--tag a b'],
    [['--registry', 'r', '--push', '--platform', 'linux/386'], '--platform linux/386: unknown'],
    [['--registry', 'r', '--platform', 'linux/amd64,linux/arm64'], 'needs --push'],
    [['--registry', 'r', '--load-into', 'minikube'], 'Use --load-into kind'],
    [['--registry', 'r', '--load-into', 'kind', '--push', '--platform', 'linux/amd64,linux/arm64'], 'one platform'],
    [['--registry', 'r', '--image', 'plimsoll'], 'Use plimsoll-node-agent, '],
    [['--nonsense'], "Unknown option '--nonsense'"],
  ])('%j is refused with a remedy', (words, reason) => {
    expect(() => readOptions(words, '0.1.0')).toThrow(reason);
  });
});

const build = (more: Partial<Build> = {}): Build => {
  const [image] = IMAGES;
  if (!image) throw new Error('no image');
  const reference = `registry.example.com/team/${image.name}:1`;
  return { image, reference, platforms: [], labels: { a: 'b' }, arguments: { BASE: 'base' }, push: false, ...more };
};
const OWN = `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`;
const lines = (...parameters: Parameters<typeof buildCommands>) =>
  buildCommands(...parameters).map((words) => words.join(' '));

describe('commands', () => {
  const both = ['linux/amd64', 'linux/arm64'];
  const reference = build().reference;

  test('docker builds and pushes in one command, whatever the platforms', () => {
    expect(lines('docker', build({ platforms: both, push: true }))).toEqual([
      `docker buildx build --file collector/Dockerfile --target node-agent --label a=b --build-arg BASE=base --platform linux/amd64,linux/arm64 --tag ${reference} --provenance mode=max --sbom true --push .`,
    ]);
    expect(lines('docker', build())[0]).toMatch(/ --load \.$/);
  });

  test.each(['podman', 'buildah'] as const)('%s pushes one image, or a list of them', (program) => {
    expect(lines(program, build({ push: true }))).toEqual([
      expect.stringContaining(
        `--ignorefile collector/Dockerfile.dockerignore --build-arg BUILDPLATFORM=${OWN} --platform ${OWN} `,
      ),
      `${program} push ${reference}`,
    ]);
    expect(lines(program, build({ platforms: both, push: true }))).toEqual([
      expect.stringContaining(`--platform linux/amd64,linux/arm64 --manifest ${reference} .`),
      `${program} manifest push --all --rm --format oci ${reference} docker://${reference}`,
    ]);
    for (const platforms of [[], both]) {
      const [, push] = lines(program, build({ platforms, push: true, plainHttp: true }));
      expect(push).toMatch(/ push .*--tls-verify=false /);
    }
  });

  test('each names the platform, which the Dockerfiles read', () => {
    for (const program of ['docker', 'podman', 'buildah'] as const)
      expect(lines(program, build())[0]).toMatch(/ --platform linux\/(amd64|arm64) /);
  });

  test('each saves what `kind load image-archive` reads', () => {
    expect(saveCommand('docker', 'r/i:1', 'a.tar').join(' ')).toBe('docker save --output a.tar r/i:1');
    expect(saveCommand('podman', 'r/i:1', 'a.tar')).toContain('docker-archive');
    expect(saveCommand('buildah', 'r/i:1', 'a.tar').at(-1)).toBe('docker-archive:a.tar:r/i:1');
  });
});

describe('labels', () => {
  test.each([
    ['https://github.com/owner/plimsoll.git\n', 'https://github.com/owner/plimsoll'],
    ['git@github.com:owner/plimsoll.git', 'https://github.com/owner/plimsoll'],
    ['/srv/git/plimsoll.git', null],
    ['', null],
  ])('the source of %j is %j', (remote, source) => {
    expect(sourceOf(remote)).toBe(source);
  });

  test('are those of the OCI image specification, without empty ones', () => {
    const [image] = IMAGES;
    if (!image) throw new Error('no image');
    const origin = { revision: 'abc', created: '2026-01-01T00:00:00Z', source: null };
    expect(labelsOf(image, '1.2.3', origin)).toEqual({
      'org.opencontainers.image.title': 'plimsoll-node-agent',
      'org.opencontainers.image.description': image.description,
      'org.opencontainers.image.version': '1.2.3',
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.revision': 'abc',
      'org.opencontainers.image.created': '2026-01-01T00:00:00Z',
    });
  });
});

describe('Dockerfiles', () => {
  const text = (file: string) => readFileSync(join(ROOT, file), 'utf8');

  test.each(IMAGES.map(({ name, file, target }) => [name, file, target]))(
    '%s has its stage, runs as a user and ignores what it does not copy',
    (_, file, target) => {
      const stage = new RegExp(`^FROM \\S+ AS ${target}\\n[^]*?(?=^FROM |$(?![^]))`, 'm').exec(text(file))?.[0] ?? '';
      expect(stage).toMatch(/^USER [1-9]\d+(:[1-9]\d+)?$/m);
      // A program of the target's platform would need emulation.
      expect(stage).not.toMatch(/^RUN /m);
      expect(existsSync(join(ROOT, `${file}.dockerignore`))).toBe(true);
    },
  );

  test('the images start from nothing, and only that of the API gets a shell', () => {
    for (const target of ['node-agent', 'cluster-collector'])
      expect(text('collector/Dockerfile')).toContain(`FROM scratch AS ${target}\n`);
    expect(text('scripts/agent-build/Dockerfile')).toContain('FROM scratch AS system\n');
    expect(text('api/Dockerfile')).toContain('FROM scratch AS api\n');
    for (const file of ['collector/Dockerfile', 'scripts/agent-build/Dockerfile'])
      expect(text(file)).not.toMatch(/dash/);
    expect(text('scripts/images/system-root.sh')).not.toMatch(/bin\/(ba|da)?sh\b(?!\n# Copies)/);
  });

  test('the chart names the same images', () => {
    const { image } = load(text('charts/plimsoll/values.yaml')) as { image: Record<string, { repository?: string }> };
    const names = Object.values(image).flatMap(({ repository }) => repository ?? []);
    expect(names.toSorted()).toEqual(IMAGES.map(({ name }) => name).toSorted());
  });
});

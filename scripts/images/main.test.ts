import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '../lib/web-build.ts';
import { IMAGES } from './images.ts';
import { VERSION } from '../../collector/src/version.ts';

/** The paths of docs/kubernetes.md, with programs in PATH that only write down how they are called. */
let folder: string;
const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-images-'));
  writeFileSync(join(folder, 'calls'), '');
  for (const name of ['node', 'git', 'sh']) symlinkSync(capturePath(name), join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

const capturePath = (name: string): string =>
  name === 'node'
    ? process.execPath
    : spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();

/** Puts a program into PATH. */
function put(name: string, body = ''): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\necho "${name} $*" >>${join(folder, 'calls')}\n${body}\n`);
  chmodSync(file, 0o755);
}

const buildImages = (...words: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'scripts/images/main.ts'), ...words], {
    encoding: 'utf8',
    env: { PATH: folder },
  });

describe.each(['docker', 'podman', 'buildah'])('with %s', (program) => {
  test('"my own registry": builds and pushes each image and prints the options of helm', () => {
    put(program);
    const { status, stdout } = buildImages('--registry', 'registry.example.com/team', '--push');
    expect(status).toBe(0);
    for (const { name } of IMAGES) {
      const reference = `registry.example.com/team/${name}:${VERSION}`;
      const pushes =
        program === 'docker' ? new RegExp(`--tag ${reference} .*--push`) : new RegExp(`push ${reference}$`);
      expect(calls().filter((line) => pushes.test(line))).toHaveLength(1);
    }
    expect(stdout).toContain(`helm: --set image.registry=registry.example.com/team --set-string image.tag=${VERSION}`);
  });

  test('"kind": saves each image and loads the archive into the nodes', () => {
    put(program);
    put('kind', `echo "provider $\{KIND_EXPERIMENTAL_PROVIDER:-docker}" >>${join(folder, 'calls')}`);
    const { status } = buildImages('--registry', 'localhost/plimsoll', '--load-into', 'kind');
    expect(status).toBe(0);
    expect(calls().filter((line) => /^kind load image-archive \S+image\.tar$/.test(line))).toHaveLength(IMAGES.length);
    expect(calls()).toContain(`provider ${program === 'podman' ? 'podman' : 'docker'}`);
    // Nothing leaves the machine.
    expect(calls().filter((line) => /\bpush\b/.test(line) && !line.includes('docker-archive:'))).toEqual([]);
  });
});

test('without one of the programs it says which there are', () => {
  const { status, stderr } = buildImages('--registry', 'registry.example.com/team');
  expect(status).toBe(1);
  expect(stderr).toContain('no docker, podman or buildah works here');
});

test('podman with one user id only is refused before it builds, with the remedy', () => {
  // The output of podman 4.3 without root, without and with a line in /etc/subuid.
  put('podman', 'case $2 in --format) echo "true 1" ;; esac');
  const { status, stderr } = buildImages('--registry', 'registry.example.com/team');
  expect(status).toBe(1);
  expect(stderr).toContain('Add the line USER:100000:65536 to /etc/subuid and /etc/subgid');
  expect(calls().filter((line) => line.startsWith('podman build'))).toEqual([]);
  put('podman', 'case $2 in --format) echo "true 2" ;; esac');
  expect(buildImages('--registry', 'registry.example.com/team').status).toBe(0);
});

test('a program that fails ends the build with its status', () => {
  put('buildah', 'case $1 in build) echo "no space left" >&2; exit 1 ;; esac');
  const { status, stderr } = buildImages('--registry', 'registry.example.com/team');
  expect(status).toBe(1);
  expect(stderr).toContain('no space left');
  expect(calls().filter((line) => line.startsWith('buildah build'))).toHaveLength(1);
});

import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture } from '../../cluster/shell.ts';

export interface ImageContent {
  /** `registry/name:tag` */
  name: string;
  entrypoint?: string;
  /** Path in the image → file or folder here. */
  files: Record<string, string>;
}

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
/** The same bytes for the same content, whoever runs it and whenever. */
const reproducible = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];

function stage(content: ImageContent, root: string): void {
  mkdirSync(join(root, 'tmp'), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:\nnobody:x:65534:65534::/:\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnobody:x:65534:\n');
  for (const [target, source] of Object.entries(content.files)) {
    mkdirSync(dirname(join(root, target)), { recursive: true });
    cpSync(source, join(root, target), { recursive: true, verbatimSymlinks: true });
  }
}

/** Writes a one-layer image as `docker save` would, without a daemon or a registry. */
export function writeArchive(out: string, content: ImageContent): void {
  mkdirSync(dirname(out), { recursive: true });
  const work = mkdtempSync(`${out}.`);
  try {
    const root = join(work, 'root');
    stage(content, root);
    capture('tar', [...reproducible, '-C', root, '-cf', join(work, 'layer.tar'), '.']);
    const layer = sha256(readFileSync(join(work, 'layer.tar')));
    const config = JSON.stringify({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      created: '1970-01-01T00:00:00Z',
      config: {
        Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
        ...(content.entrypoint === undefined ? {} : { Entrypoint: [content.entrypoint] }),
      },
      rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
    });
    const configName = `${sha256(config)}.json`;
    writeFileSync(join(work, configName), config);
    const manifest = [{ Config: configName, RepoTags: [content.name], Layers: ['layer.tar'] }];
    writeFileSync(join(work, 'manifest.json'), JSON.stringify(manifest));
    const parts = [configName, 'layer.tar', 'manifest.json'];
    capture('tar', [...reproducible, '-C', work, '-cf', join(work, 'image.tar'), ...parts]);
    renameSync(join(work, 'image.tar'), out);
  } finally {
    rmSync(work, { recursive: true });
  }
}

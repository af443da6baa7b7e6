import { IMAGE_REGISTRY } from '@plimsoll/contract/rules/image-registry';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartArchive } from '../lib/chart-package.ts';
import { ROOT } from '../lib/web-build.ts';
import { capture } from '../cluster/shell.ts';

const EMPTY_REGISTRY = '\n  registry: ""\n';

/** Returns values.yaml with the registry, in lower case: an owner's name on GitHub may have capitals, an image's not. */
export function withRegistry(values: string, registry: string): string {
  const lower = registry.toLowerCase().replace(/\/+$/, '');
  if (!IMAGE_REGISTRY.test(lower)) throw new Error(`--registry ${registry}: must be like ghcr.io/owner.`);
  if (values.split(EMPTY_REGISTRY).length !== 2) throw new Error('values.yaml: image.registry is not empty once');
  return values.replace(EMPTY_REGISTRY, `\n  registry: ${lower}\n`);
}

/** Writes `plimsoll-VERSION.tgz` into a folder, so that an install needs no image.registry. Returns its path. */
export async function packageForRegistry(registry: string, folder: string): Promise<string> {
  const version = /^version: (\S+)$/m.exec(readFileSync(join(ROOT, 'charts/plimsoll/Chart.yaml'), 'utf8'))?.[1] ?? '';
  const archive = await chartArchive({ 'values.yaml': (values) => withRegistry(values, registry) });
  const file = join(folder, `plimsoll-${version}.tgz`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, archive);
  return file;
}

/** Pushes a packaged chart to `oci://REGISTRY/charts`. Returns its reference with the digest, for cosign. */
export function pushChart(
  file: string,
  registry: string,
  plainHttp: boolean,
  env: Record<string, string> = {},
): string {
  const folder = `${registry.toLowerCase().replace(/\/+$/, '')}/charts`;
  const words = ['push', file, `oci://${folder}`, ...(plainHttp ? ['--plain-http'] : [])];
  // Helm prints the digest on stderr.
  const said = capture('sh', ['-c', 'helm "$@" 2>&1', 'helm', ...words], { env });
  const digest = /^Digest: (sha256:[0-9a-f]{64})$/m.exec(said)?.[1];
  if (digest === undefined) throw new Error(`helm push printed no digest:\n${said}`);
  return `${folder}/plimsoll@${digest}`;
}

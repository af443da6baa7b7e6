import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../lab/airgap/compile.ts';
import type { Tool } from '../lab/airgap/tools.ts';
import { cacheRoot } from '../cluster/places.ts';

const MODULES = join(import.meta.dirname, '../lab/release-tools');

/** Programs that only the release needs. Their versions are pinned in scripts/lab/release-tools/NAME/go.mod and go.sum. */
const TOOLS = {
  registry: { module: 'registry', binaries: { 'github.com/distribution/distribution/v3/cmd/registry': 'registry' } },
  kubeconform: {
    module: 'kubeconform',
    binaries: { 'github.com/yannh/kubeconform/cmd/kubeconform': 'kubeconform' },
  },
  'oldest-helm': { module: 'oldest-helm', binaries: { 'helm.sh/helm/v3/cmd/helm': 'oldest-helm' } },
  actionlint: { module: 'actionlint', binaries: { 'github.com/rhysd/actionlint/cmd/actionlint': 'actionlint' } },
  // The loader of Docker Compose: schema, references and interpolation.
  compose: { module: 'compose', binaries: { 'github.com/compose-spec/compose-go/v2/cmd': 'compose' } },
} satisfies Record<string, Tool>;

export type ToolName = keyof typeof TOOLS;

/** Returns the path of a tool, which exists only once `compiledTool` made it. */
export function toolPath(name: ToolName): string {
  const sums = readFileSync(join(MODULES, name, 'go.sum'));
  const hash = createHash('sha256').update(sums).digest('hex').slice(0, 16);
  return join(cacheRoot(process.env), 'tools', `${name}-${hash}`, name);
}

/** Compiles a tool with Go unless the cache has it. Returns its path. */
export async function compiledTool(name: ToolName): Promise<string> {
  const path = toolPath(name);
  await compile([TOOLS[name]], MODULES, join(path, '..'));
  return path;
}

import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { cacheRoot } from '../../cluster/places.ts';
import { capture } from '../../cluster/shell.ts';

/** The last patch that the Go module proxy serves of each minor version, from the oldest that Chart.yaml allows. */
export const KUBERNETES_VERSIONS = [
  '1.19.16',
  '1.20.15',
  '1.21.14',
  '1.22.17',
  '1.23.17',
  '1.24.17',
  '1.25.16',
  '1.26.15',
  '1.27.16',
  '1.28.15',
  '1.29.14',
  '1.30.14',
  '1.31.14',
  '1.32.13',
  '1.33.13',
  '1.34.4',
];

/** Go modules that hold the definitions of the custom resources of others which the chart can make. */
const FOREIGN_DEFINITIONS = [
  {
    module: 'sigs.k8s.io/gateway-api@v1.6.2',
    files: ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    files: ['podmonitors', 'prometheusrules', 'servicemonitors'].map(
      (name) => `example/prometheus-operator-crd/monitoring.coreos.com_${name}.yaml`,
    ),
  },
];

type Schema = Record<string, unknown>;

interface Swagger {
  definitions: Record<
    string,
    Schema & { 'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[] }
  >;
}

export interface Definition {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
  };
}

/** The name under which kubeconform looks a kind up, with `LOCATION` as its location. */
const fileName = (group: string, version: string, kind: string): string =>
  `${kind}-${group.split('.')[0] ?? ''}-${version}.json`.toLowerCase().replace('--', '-');

/** Returns the pattern by which kubeconform finds the schema of an object in a folder. */
export const schemaLocation = (folder: string): string => join(folder, '{{.ResourceKind}}{{.KindSuffix}}.json');

/** Keywords under which a schema has further schemas by name, where `additionalProperties` would be a property. */
const BY_NAME = new Set(['properties', 'definitions']);

/**
 * Returns a schema that refuses unknown fields, which the API server drops without a word. Quantities may be numbers,
 * which the published schema does not say.
 */
function strict(schema: unknown, byName = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => strict(each));
  if (typeof schema !== 'object' || schema === null) return schema;
  const all = schema as Schema;
  if (byName) return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, strict(value)]));
  if (all.format === 'int-or-string' || all['x-kubernetes-int-or-string'] === true)
    return { type: ['string', 'integer'] };
  const result = Object.fromEntries(
    Object.entries(all)
      .filter(([keyword]) => keyword !== 'description' && keyword !== 'default' && !keyword.startsWith('x-'))
      .map(([keyword, value]) => [keyword, strict(value, BY_NAME.has(keyword))]),
  );
  const isOpen = 'additionalProperties' in all || all['x-kubernetes-preserve-unknown-fields'] === true;
  return 'properties' in all && !isOpen ? { ...result, additionalProperties: false } : result;
}

/** Returns file names and contents of the schemas that a `swagger.json` of Kubernetes describes. */
export function fromSwagger({ definitions }: Swagger): Record<string, Schema> {
  const shared = strict({ definitions }) as { definitions: Record<string, Schema> };
  for (const [name, schema] of Object.entries(shared.definitions))
    if (name.endsWith('.api.resource.Quantity')) schema.type = ['string', 'number'];
  const files: Record<string, Schema> = { '_definitions.json': shared };
  for (const [name, { 'x-kubernetes-group-version-kind': kinds = [] }] of Object.entries(definitions))
    for (const { group, version, kind } of kinds)
      files[fileName(group, version, kind)] ??= { $ref: `_definitions.json#/definitions/${name}` };
  return files;
}

/** Returns file names and contents of the schemas of a definition of custom resources, one for each version. */
export function fromDefinition({ spec }: Definition): Record<string, Schema> {
  return Object.fromEntries(
    spec.versions.map(({ name, schema }) => {
      const own = strict(schema.openAPIV3Schema) as { properties: Schema };
      const metadata = { type: 'object' };
      return [fileName(spec.group, name, spec.names.kind), { ...own, properties: { ...own.properties, metadata } }];
    }),
  );
}

/** Unpacks a Go module for as long as `read` runs: an unpacked Kubernetes takes 100 MB. */
function withModule<T>(module: string, read: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-go-module-'));
  try {
    const env = { GOMODCACHE: folder, GOFLAGS: '-modcacherw', GONOSUMDB: '', GO111MODULE: 'on' };
    const answer = capture('go', ['mod', 'download', '-json', module], { cwd: folder, env, timeout: 300 });
    return read((JSON.parse(answer) as { Dir: string }).Dir);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the files of `make` into the cache unless a run before did. Returns their folder. */
function cached(name: string, make: () => Record<string, Schema>): string {
  const folder = join(cacheRoot(process.env), 'schemas', name);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  for (const [file, schema] of Object.entries(make())) writeFileSync(join(unfinished, file), JSON.stringify(schema));
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(unfinished, folder);
  return folder;
}

/** Returns the folder with the schemas of one version of Kubernetes, from its own source. */
export const kubernetesSchemas = (version: string): string =>
  cached(`kubernetes-${version}`, () =>
    withModule(`k8s.io/kubernetes@v${version}`, (folder) =>
      fromSwagger(JSON.parse(readFileSync(join(folder, 'api/openapi-spec/swagger.json'), 'utf8')) as Swagger),
    ),
  );

/** Returns the folders with the schemas of the Gateway API and of the Prometheus operator, from their own sources. */
export const foreignSchemas = (): string[] =>
  FOREIGN_DEFINITIONS.map(({ module, files }) =>
    cached(module.replaceAll('/', '-'), () =>
      withModule(module, (folder) =>
        Object.assign(
          {},
          ...files.map((file) => fromDefinition(load(readFileSync(join(folder, file), 'utf8')) as Definition)),
        ),
      ),
    ),
  );

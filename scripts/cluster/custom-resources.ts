import {
  camelOf,
  CUSTOM_GROUP,
  CUSTOM_KINDS,
  CUSTOM_PLURALS,
  CUSTOM_VERSION,
  type CustomKind,
} from '@plimsoll/contract/rules/custom-resources';
import { SPEC_SCHEMAS } from '@plimsoll/contract/wire/custom-resources';
import { celRulesOf } from './cel-rules.ts';

/** The CustomResourceDefinitions of the chart, made from the schemas that the API checks with. */

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  nullable?: boolean;
  additionalProperties?: unknown;
  wire?: unknown;
  [key: string]: unknown;
}
const DESCRIPTIONS: Record<string, string> = {
  'AlertRule.metric': 'The figure that the rule compares with its lines.',
  'AlertRule.target':
    'The objects that the rule applies to. Outside of the namespace of the release: namespace or workload. cluster: this cluster.',
  'AlertRule.namespace': 'Default: the namespace of the object.',
  'AlertRule.lines': 'From the mildest to the gravest. The line of a state has no threshold.',
  'AlertRule.forSeconds': 'Seconds at or over a line before it fires.',
  'AlertRule.keepFiringForSeconds': 'Seconds clear of a line before the alert resolves.',
  'AlertRule.hysteresisPoints': 'Clear is this much below the line.',
  'AlertRule.enabled': 'false: no alert of the metric for the target.',
  'Silence.namespace': 'Default outside of the namespace of the release: the namespace of the object.',
  'Silence.startsAt': 'Default: the creation of the object.',
  'Silence.endsAt': 'Either endsAt or durationSeconds.',
  'Silence.durationSeconds': 'From startsAt, else from the creation of the object.',
  'NotificationChannel.settings':
    'Settings of the type without its secrets, such as chatId: docs/alerts.md lists them.',
  'NotificationChannel.secretRef':
    'A Secret in the namespace of the release that clusterCollector.channelSecrets mounts.',
  'NotificationChannel.routing': 'Which alerts the channel gets, and when. Default: all of the cluster, at any time.',
};

/** Null has a meaning of its own here; elsewhere it is the same as no value. */
const NULLABLE = new Set(['repeat_minutes']);

/** A structural schema: camelCase keys, no defaults, nothing that the API server refuses. */
function structural(kind: CustomKind, schema: Schema, path: readonly string[] = []): Schema {
  const {
    properties,
    required,
    items,
    nullable,
    additionalProperties,
    wire,
    default: _default,
    pattern,
    ...rest
  } = schema;
  const own: Schema = { ...rest, ...(typeof pattern === 'string' && { pattern }) };
  const description = DESCRIPTIONS[`${kind}.${path.join('.')}`];
  if (description !== undefined) own.description = description;
  if (wire !== undefined) return { type: 'string', format: 'date-time', ...(own.description ? { description } : {}) };
  if (nullable === true && NULLABLE.has(path.at(-1) ?? '')) own.nullable = true;
  if (properties)
    own.properties = Object.fromEntries(
      Object.entries(properties).map(([key, child]) => [
        camelOf(key),
        structural(kind, NULLABLE.has(key) ? child : { ...child, nullable: false }, [
          ...path,
          NULLABLE.has(key) ? key : camelOf(key),
        ]),
      ]),
    );
  const needed = required?.filter((key) => key !== 'threshold').map(camelOf) ?? [];
  if (needed.length > 0) own.required = needed;
  if (items) own.items = structural(kind, items, [...path, '[]']);
  if (typeof additionalProperties !== 'object' || additionalProperties === null) return own;
  if (Object.keys(additionalProperties).length === 0) return { ...own, 'x-kubernetes-preserve-unknown-fields': true };
  return { ...own, additionalProperties };
}

interface Column {
  name: string;
  type: string;
  jsonPath: string;
  priority?: number;
}
const conditionOf = (type: string, field: string): string => `.status.conditions[?(@.type=="${type}")].${field}`;
const COMMON_COLUMNS: Column[] = [
  { name: 'Accepted', type: 'string', jsonPath: conditionOf('Accepted', 'status') },
  { name: 'Synced', type: 'string', jsonPath: conditionOf('Synced', 'status') },
  { name: 'Reason', type: 'string', jsonPath: conditionOf('Accepted', 'reason'), priority: 1 },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

const KINDS: Record<CustomKind, { shortName: string; columns: Column[] }> = {
  AlertRule: {
    shortName: 'plrule',
    columns: [
      { name: 'Metric', type: 'string', jsonPath: '.spec.metric' },
      { name: 'Target', type: 'string', jsonPath: '.spec.target' },
    ],
  },
  NotificationChannel: {
    shortName: 'plchannel',
    columns: [
      { name: 'Type', type: 'string', jsonPath: '.spec.type' },
      { name: 'Degraded', type: 'string', jsonPath: conditionOf('Degraded', 'reason') },
    ],
  },
  Silence: {
    shortName: 'plsilence',
    columns: [{ name: 'Ends', type: 'string', jsonPath: '.spec.endsAt' }],
  },
};

const TEXT = { type: 'string' };
const STATUS: Json = {
  type: 'object',
  properties: {
    observedGeneration: { type: 'integer', format: 'int64' },
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {
        type: 'object',
        required: ['type', 'status', 'reason', 'lastTransitionTime'],
        properties: {
          type: TEXT,
          status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
          reason: TEXT,
          message: TEXT,
          observedGeneration: { type: 'integer', format: 'int64' },
          lastTransitionTime: { type: 'string', format: 'date-time' },
        },
      },
    },
  },
};

/** The `spec` of a definition without its CEL rules, which API servers before 1.25 do not have. */
function definitionSpec(kind: CustomKind): Json {
  const { shortName, columns } = KINDS[kind];
  const schema: Schema = { ...SPEC_SCHEMAS[kind] };
  return {
    group: CUSTOM_GROUP,
    scope: 'Namespaced',
    names: {
      kind,
      listKind: `${kind}List`,
      plural: CUSTOM_PLURALS[kind],
      singular: kind.toLowerCase(),
      shortNames: [shortName],
      categories: ['plimsoll'],
    },
    versions: [
      {
        name: CUSTOM_VERSION,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [...columns, ...COMMON_COLUMNS] as unknown as Json,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: { spec: structural(kind, schema) as unknown as Json, status: STATUS },
          },
        },
      },
    ],
  };
}

const isScalar = (value: Json): boolean =>
  typeof value !== 'object' || value === null || Object.keys(value).length === 0;
/** YAML of a value, block style. Strings are in JSON's quotes, which YAML reads. */
function yaml(value: Json, indent = 0): string {
  const space = ' '.repeat(indent);
  if (isScalar(value)) return JSON.stringify(value);
  if (Array.isArray(value)) {
    if (value.every(isScalar)) return `[${value.map((one) => JSON.stringify(one)).join(', ')}]`;
    return value.map((one) => `\n${space}- ${yaml(one, indent + 2).replace(/^\n\s*/, '')}`).join('');
  }
  return Object.entries(value as Record<string, Json>)
    .map(([key, child]) => `\n${space}${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)}: ${yaml(child, indent + 2)}`)
    .join('')
    .replaceAll(/ +$/gm, '');
}

const CEL_MARK = '"x-cel-rules"';
/** File name and text of each template. Helm does not read braces inside: the definitions hold none in pairs. */
export function customResourceTemplates(): Record<string, string> {
  return Object.fromEntries(
    CUSTOM_KINDS.map((kind) => {
      const name = `${CUSTOM_PLURALS[kind]}.${CUSTOM_GROUP}`;
      const spec = definitionSpec(kind) as {
        versions: { schema: { openAPIV3Schema: { properties: { spec: Record<string, Json> } } } }[];
      };
      const [version] = spec.versions;
      if (version !== undefined)
        version.schema.openAPIV3Schema.properties.spec['x-kubernetes-validations'] = 'x-cel-rules';
      const rules = yaml(celRulesOf(kind) as unknown as Json, 16);
      const body = yaml(spec, 2).replace(
        new RegExp(`\\n( *)x-kubernetes-validations: ${CEL_MARK}`),
        (_, space: string) =>
          `\n${space}{{- if semverCompare ">=1.25.0-0" .Capabilities.KubeVersion.Version }}\n${space}x-kubernetes-validations:${rules}\n${space}{{- end }}`,
      );
      return [`${CUSTOM_PLURALS[kind]}-customresourcedefinition.yaml`, `${head(name)}spec:${body}\n{{- end }}\n`];
    }),
  );
}

const head = (
  name: string,
): string => `{{- /* npm run test:cluster -- crds writes this file from the schemas of the API. */}}
{{- if eq (include "plimsoll.owns-definition" (list . "${name}")) "true" }}
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${name}
  labels:
    {{- include "plimsoll.labels" (list . "custom-resources") | nindent 4 }}
  annotations:
    # Deleting a definition deletes every object of its kind.
    helm.sh/resource-policy: keep
`;

import { expect, test } from 'vitest';
import { fromDefinition, fromSwagger } from './schemas.ts';

const swagger = {
  definitions: {
    'io.k8s.api.apps.v1.Deployment': {
      description: 'long',
      type: 'object',
      properties: {
        spec: { $ref: '#/definitions/io.k8s.api.apps.v1.Spec' },
        description: { type: 'string' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
      'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
    },
    'io.k8s.api.apps.v1.Spec': {
      type: 'object',
      properties: {
        port: { type: 'string', format: 'int-or-string' },
        cpu: { $ref: '#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity' },
      },
    },
    'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'string' },
  },
};

test('a kind leads to its definition, which refuses fields that it does not name', () => {
  const files = fromSwagger(swagger);
  expect(files['deployment-apps-v1.json']).toEqual({
    $ref: '_definitions.json#/definitions/io.k8s.api.apps.v1.Deployment',
  });
  const { definitions } = files['_definitions.json'] as { definitions: Record<string, object> };
  expect(definitions['io.k8s.api.apps.v1.Deployment']).toEqual({
    type: 'object',
    properties: {
      spec: { $ref: '#/definitions/io.k8s.api.apps.v1.Spec' },
      description: { type: 'string' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
    },
    additionalProperties: false,
  });
});

test('a port may be a name or a number, a quantity a text or a number', () => {
  const { definitions } = fromSwagger(swagger)['_definitions.json'] as {
    definitions: Record<string, { properties?: { port: object }; type: unknown }>;
  };
  expect(definitions['io.k8s.api.apps.v1.Spec']?.properties?.port).toEqual({ type: ['string', 'integer'] });
  expect(definitions['io.k8s.apimachinery.pkg.api.resource.Quantity']?.type).toEqual(['string', 'number']);
});

test('a kind of the core group has no group in its name', () => {
  const kind = { group: '', version: 'v1', kind: 'Pod' };
  const definitions = { 'io.k8s.api.core.v1.Pod': { type: 'object', 'x-kubernetes-group-version-kind': [kind] } };
  expect(Object.keys(fromSwagger({ definitions }))).toContain('pod-v1.json');
});

test('each version of a custom resource has a schema; what it leaves open stays open', () => {
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      metadata: { type: 'object', properties: {} },
      spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
    },
  };
  const spec = {
    group: 'plimsoll.dev',
    names: { kind: 'Silence' },
    versions: [{ name: 'v1alpha1', schema: { openAPIV3Schema } }],
  };
  expect(fromDefinition({ spec })).toEqual({
    'silence-plimsoll-v1alpha1.json': {
      type: 'object',
      properties: {
        metadata: { type: 'object' },
        spec: { type: 'object', properties: { a: { type: 'string' } } },
      },
      additionalProperties: false,
    },
  });
});

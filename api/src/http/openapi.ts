import { errorAnswer } from '@plimsoll/contract/wire/errors';
import { z } from 'zod';
import type { Actor, Route, Shape } from './define-route.ts';

type Json = Record<string, unknown>;

/** Wire forms that differ from the parsed ones are given by `meta({ wire })` on the schema. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const wire = (z.globalRegistry.get(zodSchema as unknown as z.ZodType) as { wire?: Json } | undefined)?.wire;
      if (wire === undefined) return;
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Json)[key];
      Object.assign(jsonSchema, wire);
    },
  }) as Json;
  return rest;
}

function parametersOf(shape: Shape | undefined, place: 'path' | 'query'): Json[] {
  return Object.entries(shape ?? {}).map(([name, schema]) => {
    const described = schemaOf(schema, 'output');
    return {
      name,
      in: place,
      required: place === 'path' || !schema.safeParse(undefined).success,
      schema: described,
      // A list is one parameter with commas between its entries.
      ...(described['type'] === 'array' && { style: 'form', explode: false }),
    };
  });
}

const SECURITY: Record<Actor, Json[]> = {
  anyone: [],
  enrolment: [],
  user: [{ session: [] }, { cookie: [] }],
  agent: [{ agent: [] }],
  reporter: [{ agent: [] }],
  cluster: [{ cluster: [] }],
};

const json = (schema: Json): Json => ({ 'application/json': { schema } });
const errorRef = (description: string): Json => ({
  description,
  content: json({ $ref: '#/components/schemas/Error' }),
});

function answersOf({ spec }: Route): Json {
  const answers: Json = { '4XX': errorRef('Rejected; the code gives the reason'), '5XX': errorRef('Server error') };
  if (spec.answer === null) return { ...answers, '200': { description: spec.summary } };
  const shape = schemaOf(spec.answer, 'output');
  const wrapped: Json = {
    type: 'object',
    required: ['success', 'data'],
    properties: { success: { const: true }, data: shape },
  };
  return { ...answers, '200': { description: spec.summary, content: json(spec.bare ? shape : wrapped) } };
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the name of a call in generated clients: GET /api/servers/:id/cpu is `getServersByIdCpu`. */
function operationIdOf({ method, path }: Route['spec']): string {
  const words = path
    .replace(/^\/api\//, '/')
    .replace(/:(\w+)/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method.toLowerCase() + words.map(capitalized).join('');
}

const operationOf = (route: Route): Json => ({
  operationId: route.spec.operationId ?? operationIdOf(route.spec),
  summary: route.spec.summary,
  tags: [route.spec.tag],
  security: SECURITY[route.spec.actor],
  parameters: [...parametersOf(route.spec.params, 'path'), ...parametersOf(route.spec.query, 'query')],
  ...(route.spec.body && {
    requestBody: { required: true, content: json(schemaOf(route.spec.body, 'input')) },
  }),
  responses: answersOf(route),
});

/** OpenAPI 3.1 of exactly the routes that are mounted. */
export function openApi(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.spec.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.spec.method.toLowerCase()]: operationOf(route) };
  }
  const bearer = { type: 'http', scheme: 'bearer' };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plimsoll',
      version,
      description: 'GB and MB are 2^30 and 2^20 bytes. Times are UTC.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The installation that serves this description' }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorAnswer, 'output') },
      securitySchemes: {
        session: { ...bearer, description: 'A session token, or an API token with the scope the call needs' },
        agent: { ...bearer, description: 'The token that an agent received at enrolment' },
        cluster: { ...bearer, description: 'The token of a cluster, held by its collectors' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'auth_token', description: 'Reads only' },
      },
    },
  };
}

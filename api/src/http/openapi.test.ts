import { moment, wholeNumber } from '@plimsoll/contract/wire/query';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineRoute } from './define-route.ts';
import { openApi } from './openapi.ts';

const route = defineRoute(
  {
    method: 'POST',
    path: '/api/things/:id',
    actor: 'user',
    audit: null,
    notAudited: 'A test.',
    summary: 'Do it',
    tag: 'Things',
    params: { id: z.uuid() },
    query: { limit: wholeNumber(1, 10).default(5), since: moment.optional(), name: z.string() },
    body: z.object({ a: z.number() }),
    answer: z.object({ done: z.boolean() }),
  },
  () => Promise.resolve({ done: true }),
);

test('a declared call is described with what validates it', () => {
  const { paths } = openApi([route], '1.2.3') as { paths: Record<string, Record<string, unknown>> };
  expect(paths['/api/things/{id}']?.['post']).toMatchObject({
    security: [{ session: [] }, { cookie: [] }],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { format: 'uuid' } },
      { name: 'limit', required: false, schema: { type: 'integer', minimum: 1, maximum: 10, default: 5 } },
      { name: 'since', required: false, schema: { type: 'string' } },
      { name: 'name', required: true, schema: { type: 'string' } },
    ],
    requestBody: { content: { 'application/json': { schema: { required: ['a'] } } } },
    responses: { '200': { content: { 'application/json': { schema: { required: ['success', 'data'] } } } } },
  });
});

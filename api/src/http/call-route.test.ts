import { expect, it } from 'vitest';
import { z } from 'zod';
import { ownerOf } from '../tenancy/owner.ts';
import { createReadCall } from './call-route.ts';
import { defineRoute, type Http, type Route, type SignedIn } from './define-route.ts';
import { organisationIdOf } from '../tenancy/ids.ts';

const answer = z.object({ said: z.string() });
const post = (path: string, parts: Partial<Parameters<typeof defineRoute>[0]>): Route =>
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      summary: 'x',
      tag: 'x',
      body: z.strictObject({ word: z.string() }),
      answer,
      ...parts,
    } as never,
    ({ body }) => Promise.resolve({ said: (body as unknown as { word: string }).word }),
  );
const ROUTES = [
  post('/reads', { scope: 'read', role: 'viewer' }),
  post('/writes', { scope: 'write', role: 'viewer' }),
  post('/needs-editor', { scope: 'read' }),
  post('/agents', { scope: 'read', actor: 'agent' }),
];
const viewer = {
  owner: { ...ownerOf(organisationIdOf('a')), role: 'viewer' },
  scopes: ['read'],
} as unknown as SignedIn;
const read = createReadCall(ROUTES, viewer, {} as Http);

it('reads by POST only what needs the scope "read" of a user', async () => {
  expect(await read('/reads', answer, { body: { word: 'yes' } })).toEqual({ said: 'yes' });
  for (const path of ['/writes', '/agents', '/none'])
    await expect(read(path, answer, { body: { word: 'no' } })).rejects.toThrow('No call is declared');
});

it('validates the body and the role as the call itself does', async () => {
  await expect(read('/reads', answer, { body: { word: 1 } })).rejects.toThrow('word');
  await expect(read('/reads', answer, { body: { word: 'x', more: 1 } })).rejects.toThrow('more');
  await expect(read('/needs-editor', answer, { body: { word: 'no' } })).rejects.toThrow(/editor/);
  await expect(read('/reads', answer)).rejects.toThrow('No call is declared');
});

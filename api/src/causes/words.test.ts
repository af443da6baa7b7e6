import { expect, it } from 'vitest';
import { peerIn } from './words.ts';

it.each([
  ['web: request failed: connect ENETUNREACH 10.20.0.9:9000 - Local (0.0.0.0:0)', '10.20.0.9:9000'],
  ['dial tcp db.example.com:5432: i/o timeout', 'db.example.com:5432'],
  ['2026-11-30T14:05:22 connect ECONNREFUSED [2001:db8::1]:443', '[2001:db8::1]:443'],
  ['14:05:22 could not connect to db:5432', 'db:5432'],
  ['GET http://cart:80/ timed out', 'cart:80'],
])('%s names another machine', (text, peer) => {
  expect(peerIn(text)).toBe(peer);
});

it.each([
  'Nov 30 14:05 connection refused',
  '2026-11-30T14:05:22 connection refused',
  'connect ECONNREFUSED 127.0.0.1:9000',
  'connection refused at server.mjs:31',
  'connection refused (/opt/web/net.js:1141:16)',
  'connection refused, errno:111',
  'listening on 10.0.0.1:8080',
])('%s names none', (text) => {
  expect(peerIn(text)).toBeNull();
});

import type { Probe } from '@plimsoll/contract/wire/check-probes';
import { describe, expect, it } from 'vitest';
import { backendsOf, entranceOf } from './door.ts';

const http = (url: string) => ({ kind: 'http', url, method: 'GET' }) as unknown as Probe;
const tcp = (host: string, port: number) => ({ kind: 'tcp', host, port }) as unknown as Probe;

describe('entranceOf', () => {
  it.each([
    [http('https://Shop.example.net/api?x=1'), { host: 'shop.example.net', port: 443, path: '/api' }],
    [http('http://web.shop.svc.cluster.local.'), { host: 'web.shop.svc.cluster.local', port: 80, path: '/' }],
    [http('http://[2001:db8::1]:30080/'), { host: '2001:db8::1', port: 30_080, path: '/' }],
    [tcp('DB.shop', 5432), { host: 'db.shop', port: 5432, path: '/' }],
    [{ kind: 'dns', host: 'shop.example.net', record_type: 'A' } as unknown as Probe, null],
  ])('%#', (probe, entrance) => expect(entranceOf(probe)).toEqual(entrance));
});

describe('backendsOf', () => {
  const RULES = {
    ingressClassName: 'nginx',
    'rules.shop.example.net/': 'Service front:80',
    'rules.shop.example.net/api': 'Service orders:http',
    'rules.*.example.net/': 'Service other:80',
    'rules.shop.example.net/static': 'StorageBucket files',
    'tls.shop.example.net': 'Secret shop',
  };
  const at = (host: string, path: string) => backendsOf(RULES, { host, port: 443, path });

  it.each([
    ['shop.example.net', '/', ['front']],
    ['shop.example.net', '/api/v1', ['orders']],
    // A prefix ends at a segment.
    ['shop.example.net', '/apiary', ['front']],
    ['blog.example.net', '/api', ['other']],
    // A wildcard stands for one label.
    ['a.blog.example.net', '/', []],
    ['example.net', '/', []],
    ['shop.example.org', '/', []],
  ])('%s%s → %j', (host, path, services) => expect(at(host, path)).toEqual(services));
});

import { expect, it } from 'vitest';
import { asker, cloudRegion } from './cloud-region.ts';

const answering = (answers: Record<string, string>) => async (url: string) =>
  Object.entries(answers).find(([path]) => url.includes(path))?.[1] ?? null;

it.each([
  ['AWS, with its session token', { '/latest/api/token': 'T', '/placement/region': 'eu-central-1' }, 'eu-central-1'],
  ['Google, from the zone', { '/computeMetadata/v1/instance/zone': 'projects/1/zones/europe-west1-b' }, 'europe-west1'],
  ['Azure', { '/metadata/instance/compute/location': 'westeurope\n' }, 'westeurope'],
  ['DigitalOcean', { '/metadata/v1/region': 'fra1' }, 'fra1'],
  ['Hetzner', { '/hetzner/v1/metadata/region': 'eu-central' }, 'eu-central'],
  ['no cloud', {}, null],
  ['something that answers with a page', { '/metadata/v1/region': '<html>sign in</html>' }, null],
] as [string, Record<string, string>, string | null][])('%s', async (_cloud, answers, region) => {
  expect(await cloudRegion(answering(answers))).toBe(region);
});

it('asks AWS with the token it was given and nobody without it', async () => {
  const asked: [string, unknown][] = [];
  await cloudRegion(async (url, { headers }) => {
    asked.push([new URL(url).pathname, headers]);
    return url.endsWith('/token') ? 'T' : null;
  });
  expect(asked).toContainEqual(['/latest/meta-data/placement/region', { 'X-aws-ec2-metadata-token': 'T' }]);
});

it('takes errors, refusals and long answers for no answer', async () => {
  expect(await asker(() => Promise.reject(new Error('EHOSTUNREACH')))('http://x/', {})).toBeNull();
  expect(await asker(async () => new Response('no', { status: 404 }))('http://x/', {})).toBeNull();
  expect(await asker(async () => new Response('x'.repeat(5000)))('http://x/', {})).toBeNull();
  expect(await asker(async () => new Response('fra1'))('http://x/', {})).toBe('fra1');
});

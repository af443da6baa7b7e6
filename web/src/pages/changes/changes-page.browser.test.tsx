import type { ChangesAnswer } from '@plimsoll/contract/wire/changes';
import { beforeEach, describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { drawPage } from '../../testing/draw-page.tsx';
import { sampleChange } from '../../testing/sample-change.ts';
import { chosenZone } from '../../time/zone.ts';
import { Component } from './changes-page.tsx';

const CHANGES = [
  sampleChange({ id: '1' }),
  sampleChange({
    id: '2',
    kind: 'Service',
    title: 'ports 80→8080/TCP → 80→8081/TCP',
    by: null,
    fields: [{ field: 'env.TOKEN', was: 'changed', before: null, after: null, hidden: true }],
  }),
  sampleChange({
    id: '3',
    source: 'deploy',
    action: 'deployed',
    kind: 'deploy',
    namespace: null,
    name: 'shop',
    title: 'shop 7',
    cluster_id: null,
    cluster_name: null,
    link: 'https://ci.example/7',
    fields: [],
  }),
];
const answerOf = (changes: ChangesAnswer['changes'], more: Partial<ChangesAnswer> = {}): ChangesAnswer => ({
  changes,
  total: changes.length,
  is_more: false,
  ...more,
});

const open = async (search = '', answer: ChangesAnswer = answerOf(CHANGES)) => {
  const asked: URLSearchParams[] = [];
  const drawn = await drawPage(
    <Component />,
    {
      'GET /api/servers/list': { data: { servers: [], fleet: [], total: 0 } },
      'GET /api/changes': ({ path }) => {
        asked.push(new URLSearchParams(path.split('?')[1]));
        return { data: answer };
      },
    },
    { at: `${paths.changes}${search}` },
  );
  return { ...drawn, asked };
};

beforeEach(() => chosenZone.set('UTC'));

describe('the Changes page', () => {
  it('lists what changed where and by whom, with a way to it', async () => {
    const { screen } = await open();
    await expect.element(screen.getByText('3 changes in this range')).toBeVisible();
    await expect
      .element(screen.getByRole('link', { name: 'Deployment shop/checkout' }))
      .toHaveAttribute('href', '/kubernetes/workloads/c/shop/Deployment/checkout');
    await expect.element(screen.getByText('by ci-deploy').first()).toBeVisible();
    const link = screen.getByRole('link', { name: 'Open the pipeline' });
    await expect.element(link).toHaveAttribute('href', 'https://ci.example/7');
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  });

  it('opens the fields of a change, and says of a hidden value only that it changed', async () => {
    const { screen } = await open();
    await screen.getByRole('button', { name: 'Fields of Deployment shop/checkout' }).click();
    await expect.element(screen.getByText('− checkout:1.9.1')).toBeVisible();
    await expect.element(screen.getByText('+ checkout:1.9.2')).toBeVisible();
    await screen.getByRole('button', { name: 'Fields of Service shop/checkout' }).click();
    await expect.element(screen.getByText('changed, value hidden')).toBeVisible();
  });

  it('narrows by source and place, which stand in the address', async () => {
    const { screen, asked } = await open('?namespace=shop&name=checkout');
    await expect.element(screen.getByText('Only shop checkout')).toBeVisible();
    await screen.getByRole('button', { name: 'Hosts' }).click();
    await expect.poll(() => asked.at(-1)?.get('source')).toBe('host');
    expect(asked.at(-1)?.get('namespace')).toBe('shop');
  });

  it('says when there are none, and when there are more than are counted', async () => {
    const { screen } = await open('', answerOf([]));
    await expect.element(screen.getByText('No changes in this range')).toBeVisible();
    const many = await open('', answerOf(CHANGES, { total: 1000, is_more: true }));
    await expect.element(many.screen.getByText('More than 1,000 changes in this range')).toBeVisible();
    await expect.element(many.screen.getByText('1–100 of 1,000')).toBeVisible();
  });

  it('has a step for each pipeline', async () => {
    const { screen } = await open();
    await expect.element(screen.getByText(/name: Mark the deployment in Plimsoll/)).toBeVisible();
    await screen.getByRole('button', { name: 'GitLab CI' }).click();
    await expect.element(screen.getByText(/image: curlimages/)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Copy step' })).toBeVisible();
  });
});

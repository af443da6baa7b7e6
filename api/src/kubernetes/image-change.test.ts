import { describe, expect, it } from 'vitest';
import * as kube from '../testing/kubernetes.ts';
import { lastImageChange } from './image-change.ts';

const { SECONDS } = kube;
const record = (image: string, secondsAgo: number, container = 'app') => ({
  container,
  image,
  createdAt: (SECONDS - secondsAgo) * 1000,
});
const pod = (image: string, secondsAgo: number) =>
  kube.podObject('a', { created_at: SECONDS - secondsAgo, containers: [kube.container({ image })] });

describe('lastImageChange', () => {
  it('is when the owner first made a pod with the present image', () => {
    const history = [record('app:2', 60), record('app:2', 600), record('app:1', 3600), record('app:1', 9000)];
    expect(lastImageChange(pod('app:2', 60), history)).toEqual({
      at: (SECONDS - 600) * 1000,
      container: 'app',
      from: 'app:1',
      to: 'app:2',
    });
  });

  it('after a rollback is the rollback, not the first time the image ran', () => {
    const history = [record('app:1', 60), record('app:2', 600), record('app:1', 3600)];
    expect(lastImageChange(pod('app:1', 60), history)).toMatchObject({ at: (SECONDS - 60) * 1000, from: 'app:2' });
  });

  it('of an older pod does not see what came after it', () => {
    const history = [record('app:2', 60), record('app:1', 3600)];
    expect(lastImageChange(pod('app:1', 3600), history)).toBeNull();
  });

  it('is the latest of its containers', () => {
    const two = kube.podObject('a', {
      created_at: SECONDS,
      containers: [kube.container({ image: 'app:2' }), kube.container({ name: 'proxy', image: 'proxy:2' })],
    });
    const history = [record('app:1', 900), record('app:2', 800), record('proxy:1', 500, 'proxy')];
    expect(lastImageChange(two, history)).toMatchObject({ container: 'proxy', at: SECONDS * 1000 });
  });

  it('is not known of a pod whose owner had no other image', () => {
    expect(lastImageChange(pod('app:1', 60), [record('app:1', 3600)])).toBeNull();
    expect(lastImageChange(pod('app:1', 60), [])).toBeNull();
  });
});

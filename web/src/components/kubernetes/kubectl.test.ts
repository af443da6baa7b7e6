import { expect, it } from 'vitest';
import { kubectlGet } from './kubectl.ts';

it('names kind, object and namespace as kubectl takes them', () => {
  expect(kubectlGet({ kind: 'Pod', namespace: 'shop', name: 'web-6f7b-x2wlq' })).toBe(
    'kubectl get pod web-6f7b-x2wlq -n shop -o yaml',
  );
  expect(kubectlGet({ kind: 'CronJob', namespace: 'kube-system', name: 'a.b' })).toBe(
    'kubectl get cronjob a.b -n kube-system -o yaml',
  );
});

it('leaves a shell nothing to run, whatever a collector reports as a name', () => {
  expect(kubectlGet({ kind: 'Pod', namespace: 'a b', name: "x'; rm -rf ~; '" })).toBe(
    String.raw`kubectl get pod 'x'\''; rm -rf ~; '\''' -n 'a b' -o yaml`,
  );
});

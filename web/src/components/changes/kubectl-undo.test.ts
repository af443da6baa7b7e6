import { expect, it } from 'vitest';
import { kubectlUndo } from './kubectl-undo.ts';

it.each([
  ['checkout', 'kubectl rollout undo deployment checkout -n shop'],
  ["a'; rm -rf / #", String.raw`kubectl rollout undo deployment 'a'\''; rm -rf / #' -n shop`],
])('%s: the name is one word of the shell', (name, command) => {
  expect(kubectlUndo({ kind: 'Deployment', namespace: 'shop', name })).toBe(command);
});

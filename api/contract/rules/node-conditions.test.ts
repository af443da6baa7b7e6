import { expect, test } from 'vitest';
import { isBadCondition } from './node-conditions.ts';

test.each([
  ['Ready', 'False'],
  ['MemoryPressure', 'True'],
  ['NetworkUnavailable', 'True'],
  ['ReadonlyFilesystem', 'True'],
  ['KernelDeadlock', 'True'],
  ['FrequentKubeletRestart', 'True'],
  ['VMEventScheduled', 'True'],
  ['ContainerRuntimeReady', 'False'],
  ['EtcdIsVoter', 'False'],
  ['KubeletNotReady', 'True'],
  ['KubeletConfigOk', 'False'],
  ['NodeInitialized', 'False'],
  ['ClockSynced', 'False'],
  ['ClockNotSynced', 'True'],
  ['KubeletUnhealthy', 'True'],
])('%s %s is a problem, and the opposite is none', (type, status) => {
  expect(isBadCondition({ type, status })).toBe(true);
  expect(isBadCondition({ type, status: status === 'True' ? 'False' : 'True' })).toBe(false);
  expect(isBadCondition({ type, status: 'Unknown' })).toBe(false);
});

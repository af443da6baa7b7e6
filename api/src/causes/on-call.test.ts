import { describe, expect, it } from 'vitest';
import { complaintsOf } from './testing/complaints-of.ts';
import { healthyOnCall, twoOnCall } from './testing/on-call/shop-healthy.ts';
import { objectsOnCall } from './testing/on-call/shop-objects.ts';
import { furtherInClusters, furtherOnHosts } from './testing/on-call/further.ts';
import { healthyHosts, twoOnHosts } from './testing/on-call/hosts-healthy.ts';
import { hostsOnCall } from './testing/on-call/hosts.ts';
import { rolloutsOnCall } from './testing/on-call/rollouts.ts';

describe('what a person on call meets in a cluster', () => {
  it.each([...rolloutsOnCall, ...objectsOnCall, ...healthyOnCall, ...twoOnCall, ...furtherInClusters])(
    'judges $id',
    (one) => {
      expect(complaintsOf(one)).toEqual([]);
    },
  );
});

describe('what a person on call meets on a machine', () => {
  it.each([...hostsOnCall, ...twoOnHosts, ...healthyHosts, ...furtherOnHosts])('judges $id', (one) => {
    expect(complaintsOf(one)).toEqual([]);
  });
});

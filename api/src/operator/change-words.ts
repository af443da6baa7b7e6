import { CUSTOM_KINDS, type CustomKind } from '@plimsoll/contract/rules/custom-resources';
import { nameList } from '../tenancy/name-list.ts';
import type { Applied } from './types.ts';

const CHANGES = ['created', 'changed', 'deleted'] as const;

/**
 * Returns what a sync changed: "2 AlertRules created: shop/cpu, shop/disk; 1 Silence deleted: shop/night". Empty: nothing.
 */
export const changeWords = (applied: Readonly<Record<CustomKind, Applied>>): string =>
  CUSTOM_KINDS.flatMap((kind) =>
    CHANGES.flatMap((change) => {
      const keys = applied[kind][change];
      if (keys.length === 0) return [];
      return [`${String(keys.length)} ${kind}${keys.length === 1 ? '' : 's'} ${change}: ${nameList(keys)}`];
    }),
  ).join('; ');

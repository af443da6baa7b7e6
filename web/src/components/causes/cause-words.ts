import type { CauseEntity } from '@plimsoll/contract/wire/causes';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText, plural } from '../../format/figures.ts';

/** Returns a link of an answer if it leads to a page of this product; null: it leads elsewhere. */
export const ownPage = (href: string | null): string | null =>
  href !== null && /^\/(?![/\\])/.test(href) ? href : null;

/** "shop/checkout", "web-01". */
export const entityName = ({ namespace, name }: Pick<CauseEntity, 'namespace' | 'name'>): string =>
  escapeInvisible(namespace === null ? name : `${namespace}/${name}`);

/** "explains all 4 symptoms", "explains 3 of 4 symptoms". */
export const explainsWords = (explained: number, symptoms: number): string =>
  symptoms === 1 && explained === 1
    ? 'explains the one symptom'
    : explained >= symptoms
      ? `explains all ${plural(symptoms, 'symptom')}`
      : `explains ${numberText(explained) ?? ''} of ${plural(symptoms, 'symptom')}`;

import { CUSTOM_GROUP, CUSTOM_KINDS } from '@plimsoll/contract/rules/custom-resources';
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';

const isCustom = ({ name }: ReaderStatePart): boolean => name.endsWith(`.${CUSTOM_GROUP}`);
/** Without the definitions the API server answers 404; without the rights, which come with them, 403. */
const isMissing = ({ state }: ReaderStatePart): boolean => state === 'absent' || state === 'forbidden';

/**
 * Takes the readers of custom resources as switched off where none of them is served: customResources.create=false installs
 * neither definitions nor rights, on purpose. Where only some are missing, something failed.
 */
export function withCustomResourcesOff(readers: readonly ReaderStatePart[]): ReaderStatePart[] {
  const custom = readers.filter(isCustom);
  if (custom.length < CUSTOM_KINDS.length || !custom.every(isMissing)) return [...readers];
  return readers.map((reader) =>
    isCustom(reader)
      ? {
          ...reader,
          state: 'off' as const,
          detail: 'Custom resources are not served. Set customResources.create=true in the chart to use them.',
        }
      : reader,
  );
}

import type { HiddenPart, HiddenPartsAnswer } from '@plimsoll/contract/wire/hidden-parts';
import { hiddenPartsQuery, hidePart, showPart } from '../../../api/hidden-parts.ts';
import { useMutation, useQuery, useQueryClient } from '../../../api/query.ts';
import { useMayEdit } from '../../../api/user.ts';
import { useView } from '../../../state/view.ts';

interface HidingState {
  hidden: HiddenPartsAnswer['hidden'];
  /** null: the reader may not change it, or the page shows the past. */
  hide: ((part: HiddenPart) => void) | null;
  show: ((part: HiddenPart) => void) | null;
  problem: string | null;
}

/** Hidden parts of a server with the ways to change them. */
export function useHiding(serverId: string): HidingState {
  const { at } = useView();
  const mayEdit = useMayEdit() && at === null;
  const queries = useQueryClient();
  const hidden = useQuery(hiddenPartsQuery(serverId)).data?.hidden ?? [];
  const change = useMutation({
    mutationFn: ({ part, isHidden }: { part: HiddenPart; isHidden: boolean }) =>
      (isHidden ? hidePart : showPart)(serverId, part),
    onSuccess: async (answer) => {
      queries.setQueryData(hiddenPartsQuery(serverId).queryKey, answer);
      await Promise.all(
        ['servers', 'alerts', 'metrics', 'containers'].map((word) => queries.invalidateQueries({ queryKey: [word] })),
      );
    },
  });
  const changer = (isHidden: boolean) => (mayEdit ? (part: HiddenPart) => change.mutate({ part, isHidden }) : null);
  return { hidden, hide: changer(true), show: changer(false), problem: change.error?.message ?? null };
}

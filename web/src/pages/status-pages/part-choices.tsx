import { STATUS_PAGE_LIMITS } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { CheckListItem } from '@plimsoll/contract/wire/checks/checks';
import type { Server } from '@plimsoll/contract/wire/servers';
import { matchingServers } from '../../components/form/server-picks.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { serverName } from '../../format/server-facts.ts';
import { NamedChoices } from './named-choices.tsx';
import type { PageDraft } from './page-draft.ts';

interface ChoiceProps {
  draft: PageDraft;
  problem: string | undefined;
  onChange: (part: Partial<PageDraft>) => void;
}

/** Chooses the servers of a page and the names that it shows for them. */
export function ServerChoice({ servers, ...of }: ChoiceProps & { servers: readonly Server[] }) {
  const { draft, onChange } = of;
  return (
    <NamedChoices
      {...of}
      title="Servers"
      most={STATUS_PAGE_LIMITS.servers}
      placeholder="Filter by name, region or tag"
      empty="No server matches."
      choicesOf={(search) =>
        matchingServers(servers, search).map((server) => {
          const name = escapeInvisible(serverName(server));
          const shownName = () => (draft.showsNames ? name : `Server ${draft.serverIds.indexOf(server.id) + 1}`);
          return { id: server.id, name, shownName };
        })
      }
      chosen={draft.serverIds}
      onChosen={(serverIds) => onChange({ serverIds })}
    />
  );
}

/** Chooses the checks of a page and the names that it shows for them. */
export function CheckChoice({ checks, ...of }: ChoiceProps & { checks: readonly CheckListItem[] }) {
  const { draft, onChange } = of;
  return (
    <NamedChoices
      {...of}
      title="Checks"
      most={STATUS_PAGE_LIMITS.checks}
      placeholder="Filter by name or target"
      empty="No check matches."
      choicesOf={(search) =>
        matchingChecks(checks, search).map(({ check_id: id, name }) => ({
          id,
          name: escapeInvisible(name),
          shownName: () => `Check ${draft.checkIds.indexOf(id) + 1}`,
        }))
      }
      chosen={draft.checkIds}
      onChosen={(checkIds) => onChange({ checkIds })}
    />
  );
}

function matchingChecks(checks: readonly CheckListItem[], search: string): CheckListItem[] {
  const words = search.toLowerCase().split(' ');
  return (
    checks
      .filter(({ name, target }) => words.every((word) => `${name} ${target}`.toLowerCase().includes(word)))
      // The list of the API has the worst first, so that rows would jump.
      .toSorted((a, b) => a.name.localeCompare(b.name))
  );
}

import Button from '@mui/material/Button';
import type { TeamAnswer } from '@plimsoll/contract/wire/accounts/team';
import { Panel, Rows } from '../../../components/panel.tsx';
import { creatorWords } from '../../../format/creator-words.ts';
import { Entry, Quiet } from '../profile-parts.tsx';

export interface Person {
  id: string;
  name: string;
}
interface FormerMembersProps {
  former: TeamAnswer['former'];
  onEnd: (person: Person) => void;
}

/** People who are no longer members and whose tokens, invitations or pages still work. */
export function FormerMembers({ former, onEnd }: FormerMembersProps) {
  if (former.length === 0) return null;
  return (
    <Panel title="Made by former members" note={former.length}>
      <Rows>
        {former.map((maker) => {
          const name = creatorWords(maker);
          return (
            <Entry key={maker.account_id} aria-label={name}>
              <div>
                <b>{name}</b>
                <br />
                <Quiet>
                  {maker.works === 1
                    ? '1 token, link or page still works'
                    : `${maker.works} tokens, links or pages still work`}
                </Quiet>
              </div>
              <Button
                variant="outlined"
                aria-label={`Review what ${name} made`}
                onClick={() => onEnd({ id: maker.account_id, name })}
              >
                Review
              </Button>
            </Entry>
          );
        })}
      </Rows>
    </Panel>
  );
}

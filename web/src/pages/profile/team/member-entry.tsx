import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { Role } from '@plimsoll/contract/rules/limits';
import type { TeamMember } from '@plimsoll/contract/wire/accounts/team';
import { Age } from '../../../components/age.tsx';
import { Chip } from '../../../components/chips.tsx';
import { Toggle } from '../../../components/form/toolbar.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { ROLE_NAME, ROLE_NAME_OPTIONS } from '../../../format/role-words.ts';
import { momentMs } from '../../../time/age.ts';
import { Buttons, Entry, Quiet } from '../profile-parts.tsx';

const Row = styled(Entry)(({ theme }) => ({
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: 'minmax(0, 1fr)',
    justifyItems: 'start',
    paddingBlock: 12,
    '& .MuiButton-root': { minHeight: 40 },
  },
}));

interface MemberEntryProps {
  member: TeamMember;
  /** False: the role is shown and cannot be changed. */
  mayChange: boolean;
  onRole: (role: Role) => void;
  onRemove: () => void;
}

export function MemberEntry({ member, mayChange, onRole, onRemove }: MemberEntryProps) {
  const name = escapeInvisible(member.name);
  const isFixed = member.is_founder || member.is_you || !mayChange;
  return (
    <Row aria-label={name}>
      <div>
        <b>{name}</b> {member.is_you && <Chip>You</Chip>}
        <br />
        <Quiet>
          {escapeInvisible(member.email)}, {member.is_founder ? 'founder, since ' : 'member since '}
          <Age at={momentMs(member.joined_at)} />
        </Quiet>
      </div>
      {isFixed ? (
        <Chip>{ROLE_NAME[member.role]}</Chip>
      ) : (
        <Buttons>
          <Toggle label={`Role of ${name}`} value={member.role} options={ROLE_NAME_OPTIONS} onChange={onRole} />
          <Button variant="outlined" aria-label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </Button>
        </Buttons>
      )}
    </Row>
  );
}

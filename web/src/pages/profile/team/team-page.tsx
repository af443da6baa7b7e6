import Button from '@mui/material/Button';
import type { InvitationOnWire, TeamAnswer } from '@plimsoll/contract/wire/accounts/team';
import { useState } from 'react';
import { useQuery } from '../../../api/query.ts';
import { changeMember, leaveTeam, teamQuery, withdrawInvitation } from '../../../api/team.ts';
import { useIsAdmin } from '../../../api/user.ts';
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx';
import { awaitedWords, FeedPanel } from '../../../components/feedback/feed-panel.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { Page } from '../../../components/page.tsx';
import { creatorWords } from '../../../format/creator-words.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { ROLE_NAME } from '../../../format/role-words.ts';
import { paths } from '../../../paths.ts';
import { Link } from '../../../router.ts';
import { sessionToken } from '../../../state/session-token.ts';
import { momentMs } from '../../../time/age.ts';
import { dayAndTime, zoneName } from '../../../time/zone.ts';
import { Entry, Quiet } from '../profile-parts.tsx';
import { useAction } from '../use-action.ts';
import { EndAccessDialog } from './end-access-dialog.tsx';
import { FormerMembers, type Person } from './former-members.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberEntry } from './member-entry.tsx';
import { TeamName } from './team-name.tsx';
import { Add as AddIcon } from '../../../components/icons/pages.tsx';

const sentenceOf = ({ name, members }: TeamAnswer): string =>
  members.length === 1
    ? `${escapeInvisible(name)}: you alone. Invite others to see the same servers.`
    : `${escapeInvisible(name)}: ${members.length} members see the same servers.`;

interface Removal {
  person: Person;
  isMember: boolean;
}

/** Members of the organisation and the invitations that nobody has used yet. */
export function Component() {
  const asked = useQuery(teamQuery());
  const isAdmin = useIsAdmin();
  const [isInviting, setInviting] = useState(false);
  const [removed, setRemoved] = useState<Removal | null>(null);
  const role = useAction(changeMember, 'team');
  const members = asked.data?.members ?? [];
  const you = members.find(({ is_you: isYou }) => isYou);
  const add = (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setInviting(true)}>
      Invite
    </Button>
  );
  return (
    <Page
      title="Team"
      sentence={asked.data === undefined ? awaitedWords(asked, 'members') : sentenceOf(asked.data)}
      actions={
        <Button component={Link} to={paths.profile} variant="outlined">
          Profile
        </Button>
      }
    >
      {role.error !== null && <Notice tone="error">{role.error}</Notice>}
      <FeedPanel
        title="Members"
        note={members.length}
        actions={isAdmin && add}
        asked={asked}
        rows={3}
        empty={{ sentence: 'No members', reason: 'The organisation has no members.' }}
      >
        {members.map((member) => (
          <MemberEntry
            key={member.account_id}
            member={member}
            mayChange={isAdmin}
            onRole={(chosen) => void role.start(member.account_id, chosen)}
            onRemove={() =>
              setRemoved({ person: { id: member.account_id, name: escapeInvisible(member.name) }, isMember: true })
            }
          />
        ))}
      </FeedPanel>
      {isAdmin && <Invitations invitations={asked.data?.invitations ?? []} asked={asked} />}
      {isAdmin && (
        <FormerMembers former={asked.data?.former ?? []} onEnd={(person) => setRemoved({ person, isMember: false })} />
      )}
      {isAdmin && asked.data !== undefined && <TeamName key={asked.data.name} name={asked.data.name} />}
      {you?.is_founder === false && <Leave />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {removed !== null && <EndAccessDialog {...removed} onClose={() => setRemoved(null)} />}
    </Page>
  );
}

interface InvitationsProps {
  invitations: readonly InvitationOnWire[];
  asked: ReturnType<typeof useQuery<TeamAnswer>>;
}

function Invitations({ invitations, asked }: InvitationsProps) {
  const withdraw = useAction(withdrawInvitation, 'team');
  return (
    <>
      {withdraw.error !== null && <Notice tone="error">{withdraw.error}</Notice>}
      <FeedPanel
        title="Open invitations"
        note={invitations.length}
        asked={asked}
        rows={1}
        empty={{ sentence: 'No open invitations', reason: 'A link that was used or ended is no longer listed.' }}
      >
        {invitations.map(({ id, role, email, expires_at: end, created_by: creator }) => {
          const whom = email === null ? 'Whoever has the link' : escapeInvisible(email);
          const ends = momentMs(end) ?? Number.NaN;
          return (
            <Entry key={id} aria-label={whom}>
              <div>
                <b>{whom}</b>
                <br />
                <Quiet>
                  {ROLE_NAME[role]}, made by {creatorWords(creator)}, ends {dayAndTime(ends)} {zoneName(ends)}
                </Quiet>
              </div>
              <Button
                variant="outlined"
                disabled={withdraw.busy}
                aria-label={`Withdraw the invitation of ${whom}`}
                onClick={() => void withdraw.start(id)}
              >
                Withdraw
              </Button>
            </Entry>
          );
        })}
      </FeedPanel>
    </>
  );
}

function Leave() {
  const [isAsked, setAsked] = useState(false);
  const leave = useAction(leaveTeam, 'team');
  const confirm = async () => {
    setAsked(false);
    // The API has ended this session, too: the next page is the sign-in.
    if ((await leave.start()) !== null) sessionToken.set(null);
  };
  return (
    <>
      {leave.error !== null && <Notice tone="error">{leave.error}</Notice>}
      <div>
        <Button variant="outlined" disabled={leave.busy} onClick={() => setAsked(true)}>
          Leave this organisation
        </Button>
      </div>
      <ConfirmDialog
        open={isAsked}
        title="Leave this organisation?"
        confirm="Leave"
        danger
        onConfirm={() => void confirm()}
        onClose={() => setAsked(false)}
      >
        <span>You are signed out and see these servers no longer. You keep an organisation of your own.</span>
      </ConfirmDialog>
    </>
  );
}

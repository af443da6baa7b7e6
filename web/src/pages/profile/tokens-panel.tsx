import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useState } from 'react';
import {
  apiTokensQuery,
  clusterTokensQuery,
  enrolmentTokensQuery,
  revokeApiToken,
  revokeClusterToken,
  revokeEnrolmentToken,
} from '../../api/account.ts';
import { useQuery } from '../../api/query.ts';
import { useIsAdmin } from '../../api/user.ts';
import { Age } from '../../components/age.tsx';
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Panel, Rows } from '../../components/panel.tsx';
import { momentMs } from '../../time/age.ts';
import { dayAndTime } from '../../time/zone.ts';
import { creatorWords } from '../../format/creator-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { Entry, Quiet } from './profile-parts.tsx';
import { useAction } from './use-action.ts';

const Split = styled(Panel)(({ theme }) => ({
  '& ul:not(:empty) ~ ul:not(:empty)': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}));

interface TokenEntry {
  id: string;
  name: string;
  /** Null: nobody can tell it from others by its end. */
  lastFour: string | null;
  createdAt: string;
  /** Null: you. */
  madeBy: string | null;
  /** Words for its use; they stand for the time of the last one. */
  use?: string;
  lastUsedAt: string | null;
  /** ISO time; null never expires. */
  expiresAt: string | null;
  /** Consequence of revoking it. */
  stops: string;
}

const endWords = (expiresAt: string): string => {
  const at = momentMs(expiresAt) ?? Number.NaN;
  return `, ${at <= Date.now() ? 'expired' : 'expires'} ${dayAndTime(at)}`;
};

function Use({ token: { use, lastUsedAt } }: { token: TokenEntry }) {
  if (use !== undefined) return use;
  return lastUsedAt === null ? 'never used' : <Age at={momentMs(lastUsedAt)} prefix="last used " />;
}

interface TokenRowsProps {
  tokens: readonly TokenEntry[];
  /** Null: the API lets only an admin revoke. */
  revoke: ((id: string) => Promise<unknown>) | null;
  changes: string;
}

const refused = (): Promise<unknown> => Promise.reject(new Error('Only an admin revokes tokens.'));

function TokenRows({ tokens, revoke, changes }: TokenRowsProps) {
  const action = useAction(revoke ?? refused, changes);
  const [asked, setAsked] = useState<TokenEntry | null>(null);
  const confirm = () => {
    if (asked !== null) void action.start(asked.id);
    setAsked(null);
  };
  return (
    <>
      <Rows>
        {tokens.map((token) => (
          <Entry key={token.id}>
            <div>
              <b>{escapeInvisible(token.name)}</b> {token.lastFour !== null && <code>••••{token.lastFour}</code>}
              <br />
              <Quiet>
                Made <Age at={momentMs(token.createdAt)} />
                {token.madeBy !== null && ` by ${token.madeBy}`}, <Use token={token} />
                {token.expiresAt === null ? ', does not expire' : endWords(token.expiresAt)}
              </Quiet>
            </div>
            {revoke !== null && (
              <Button variant="outlined" disabled={action.busy} onClick={() => setAsked(token)}>
                Revoke
              </Button>
            )}
          </Entry>
        ))}
      </Rows>
      {action.error !== null && <Notice tone="error">{action.error}</Notice>}
      <ConfirmDialog
        open={asked !== null}
        title={`Revoke ${asked === null ? '' : escapeInvisible(asked.name)}?`}
        confirm="Revoke"
        danger
        onConfirm={confirm}
        onClose={() => setAsked(null)}
      >
        <span>{asked?.stops} You cannot undo this.</span>
      </ConfirmDialog>
    </>
  );
}

/** Every token that works without a session; each can be revoked. */
export function TokensPanel() {
  const api = useQuery(apiTokensQuery());
  const clusters = useQuery(clusterTokensQuery());
  const isAdmin = useIsAdmin();
  const installs = useQuery(enrolmentTokensQuery(isAdmin));
  const [isOpen, setOpen] = useState(false);
  const apiTokens = (api.data?.tokens ?? []).map((token) => ({
    id: token.id,
    name: `${token.name} (${token.scopes.join(', ')})`,
    lastFour: token.last_four,
    createdAt: token.created_at,
    madeBy: null,
    lastUsedAt: token.last_used_at,
    expiresAt: token.expires_at,
    stops: 'Scripts that use it stop working at once.',
  }));
  const clusterTokens = (clusters.data?.tokens ?? []).map((token) => ({
    id: token.id,
    name: token.name ?? (token.cluster_name === null ? 'Cluster token' : `Cluster ${token.cluster_name}`),
    lastFour: token.last_four,
    createdAt: token.created_at,
    madeBy: creatorWords(token.created_by),
    lastUsedAt: token.last_used_at,
    expiresAt: token.expires_at,
    stops: 'The server then rejects reports from the collectors of that cluster.',
  }));
  const installCommands = (installs.data?.tokens ?? []).map((token) => ({
    id: token.id,
    name: 'Install command',
    lastFour: null,
    createdAt: token.created_at,
    madeBy: creatorWords(token.created_by),
    use: token.servers === 1 ? '1 server enrolled' : `${String(token.servers)} servers enrolled`,
    lastUsedAt: null,
    expiresAt: token.expires_at,
    stops: 'It enrols no server any more. Servers that it enrolled keep reporting.',
  }));
  return (
    <Split
      title="Tokens"
      note="work without your session"
      actions={
        isAdmin && (
          <Button
            variant="outlined"
            sx={{ whiteSpace: 'nowrap' }}
            disabled={api.data === undefined}
            onClick={() => setOpen(true)}
          >
            New token
          </Button>
        )
      }
    >
      <Failure asked={api} />
      <TokenRows tokens={apiTokens} revoke={isAdmin ? revokeApiToken : null} changes="api-tokens" />
      <Failure asked={clusters} />
      <TokenRows tokens={clusterTokens} revoke={isAdmin ? revokeClusterToken : null} changes="cluster-tokens" />
      <Failure asked={installs} />
      <TokenRows tokens={installCommands} revoke={isAdmin ? revokeEnrolmentToken : null} changes="enrolment-tokens" />
      {isOpen && (
        <NewTokenDialog names={(api.data?.tokens ?? []).map(({ name }) => name)} onClose={() => setOpen(false)} />
      )}
    </Split>
  );
}

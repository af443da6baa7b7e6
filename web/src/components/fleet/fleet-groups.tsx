import { styled } from '@mui/material/styles';
import type { Server } from '@plimsoll/contract/wire/servers';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { StatusIcon } from '../status-icons.tsx';
import { groupServers, groupWords } from './group-servers.ts';

const GroupTitle = styled('h2')(({ theme }) => ({
  ...theme.typography.h3,
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  margin: '4px 0 8px',
  '&:not(:first-child)': { marginTop: 20 },
  '& > small': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
}));

interface FleetGroupsProps {
  /** In the order of the view. */
  servers: readonly Server[];
  /** False where the order is not that of headroom. */
  grouped: boolean;
  /** Level of the headings: that below the heading of the part of the page they stand in. */
  heading: 'h2' | 'h3';
  /** Draws the servers of one group. */
  children: (servers: readonly Server[]) => ReactNode;
}

/** Servers that do not report under a heading of their own: their last load ranks nothing. */
export function FleetGroups({ servers, grouped, heading, children }: FleetGroupsProps) {
  const groups = groupServers(servers);
  if (!grouped || groups.length < 2) return children(servers);
  return (
    <div>
      {groups.map((group) => (
        <Fragment key={group.kind}>
          <GroupTitle as={heading}>
            {group.kind !== 'reporting' && <StatusIcon status={group.kind} />}
            {groupWords(group).title}
            <small>{groupWords(group).note}</small>
          </GroupTitle>
          {children(group.servers)}
        </Fragment>
      ))}
    </div>
  );
}

import IconButton from '@mui/material/IconButton';
import { signOut } from '../../api/sign-in.ts';
import { useQueryClient } from '../../api/query.ts';
import { Mark } from '../../components/logo.tsx';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../router.ts';
import { Badge, Brand, Item, ItemButton, Label, Nav, Spacer } from './sidebar-parts.tsx';
import {
  AccountCircleOutlined as AccountCircleIcon,
  ChevronLeft as ChevronLeftIcon,
  ChevronRight as ChevronRightIcon,
  DnsOutlined as DnsIcon,
  ForumOutlined as ForumIcon,
  HubOutlined as HubIcon,
  LanOutlined as LanIcon,
  LogoutOutlined as LogoutIcon,
  MemoryOutlined as MemoryIcon,
  NotificationsOutlined as NotificationsIcon,
  SpaceDashboardOutlined as SpaceDashboardIcon,
  TerminalOutlined as TerminalIcon,
  TimelineOutlined as TimelineIcon,
} from '../../components/icons/material.tsx';

const ITEMS = [
  { to: paths.dashboard, label: 'Dashboard', Icon: SpaceDashboardIcon },
  { to: paths.servers, label: 'Servers', Icon: DnsIcon },
  { to: paths.kubernetes, label: 'Kubernetes', Icon: HubIcon },
  { to: paths.alerts, label: 'Alerts', Icon: NotificationsIcon },
  { to: paths.activity, label: 'Activity', Icon: TimelineIcon },
  { to: paths.network, label: 'Network', Icon: LanIcon },
  { to: paths.processes, label: 'Processes', Icon: MemoryIcon },
  { to: paths.aiChat, label: 'AI Chat', Icon: ForumIcon },
  { to: paths.setup, label: 'Setup', Icon: TerminalIcon },
] as const;

interface SidebarProps {
  expanded: boolean;
  /** Alerts nobody has opened in this browser. */
  unread: number;
  onToggle?: () => void;
  onNavigate?: () => void;
}

function Unread({ count }: { count: number }) {
  if (count === 0) return null;
  return <Badge aria-label={`${count} unread`}>{count > 99 ? '99+' : count}</Badge>;
}

export function Sidebar({ expanded, unread, onToggle, onNavigate }: SidebarProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    await signOut();
    queries.clear();
    await navigate(paths.login);
  };
  return (
    <Nav aria-label="Main" data-collapsed={expanded ? undefined : ''}>
      <Brand>
        <Mark size={24} />
        {expanded && <span>Plimsoll</span>}
        {onToggle && (
          <IconButton
            size="small"
            onClick={onToggle}
            aria-label={expanded ? 'Collapse sidebar' : 'Expand sidebar'}
            aria-expanded={expanded}
          >
            {expanded ? <ChevronLeftIcon /> : <ChevronRightIcon />}
          </IconButton>
        )}
      </Brand>
      {ITEMS.map(({ to, label, Icon }) => (
        <Item key={to} to={to} end={to === paths.dashboard} onClick={onNavigate} title={expanded ? undefined : label}>
          <Icon aria-hidden />
          <Label>{label}</Label>
          {to === paths.alerts && <Unread count={unread} />}
        </Item>
      ))}
      <Spacer />
      <Item to={paths.profile} onClick={onNavigate} title={expanded ? undefined : 'Profile'}>
        <AccountCircleIcon aria-hidden />
        <Label>Profile</Label>
      </Item>
      <ItemButton type="button" onClick={() => void leave()} title={expanded ? undefined : 'Logout'}>
        <LogoutIcon aria-hidden />
        <Label>Logout</Label>
      </ItemButton>
    </Nav>
  );
}

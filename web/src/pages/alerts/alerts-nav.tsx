import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import {
  NotificationsOutlined as NotificationsIcon,
  SettingsOutlined as SettingsIcon,
} from '../../components/icons/material.tsx';
import {
  NotificationsPausedOutlined as NotificationsPausedIcon,
  SendOutlined as SendIcon,
} from '../../components/icons/pages.tsx';

const Bar = styled('nav')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 4,
  [theme.breakpoints.down('sm')]: {
    '& a': { padding: '5px 10px', minHeight: 40 },
    '& .MuiButton-startIcon': { display: 'none' },
  },
  '& a[aria-current]': {
    color: theme.vars.palette.text.primary,
    backgroundColor: theme.vars.palette.action.selected,
    boxShadow: `inset 0 -2px ${theme.vars.palette.info.main}`,
  },
}));

const VIEWS = {
  alerts: { to: paths.alerts, label: 'Alerts', Icon: NotificationsIcon },
  rules: { to: paths.alertRules, label: 'Rules', Icon: SettingsIcon },
  silences: { to: paths.alertSilences, label: 'Silences', Icon: NotificationsPausedIcon },
  channels: { to: paths.alertChannels, label: 'Channels', Icon: SendIcon },
} as const;
export type AlertsView = keyof typeof VIEWS;

/** The screens about alerts. They stand below Alerts, so the sidebar has one entry for all of them. */
export function AlertsNav({ current }: { current: AlertsView }) {
  return (
    <Bar aria-label="About alerts">
      {Object.entries(VIEWS).map(([view, { to, label, Icon }]) => (
        <Button
          key={view}
          component={Link}
          to={to}
          variant="text"
          startIcon={<Icon />}
          aria-current={view === current ? 'page' : undefined}
        >
          {label}
        </Button>
      ))}
    </Bar>
  );
}

import { styled } from '@mui/material/styles';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import { Link } from '../router.ts';
import { Mark } from './logo.tsx';

const Bar = styled('header')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 16,
  maxWidth: 1296,
  minHeight: 64,
  margin: '0 auto',
  padding: '0 24px',
  [theme.breakpoints.down('sm')]: { padding: '0 12px' },
}));
const Brand = styled(Link)(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 12,
  minHeight: 40,
  fontSize: 16,
  fontWeight: 600,
  color: theme.vars.palette.text.primary,
  '&:hover': { textDecoration: 'none' },
}));
const Links = styled('nav')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  flexWrap: 'wrap',
  gap: '4px 24px',
  fontWeight: 500,
  [theme.breakpoints.down('sm')]: { columnGap: 12, justifyContent: 'flex-end' },
  '& > :where(a)': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 8,
    minHeight: 40,
    color: theme.vars.palette.text.secondary,
  },
}));
const Foot = styled('footer')(({ theme }) => ({
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  marginTop: 64,
  '& > div': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '4px 24px',
    maxWidth: 1296,
    margin: '0 auto',
    padding: '16px 24px',
    color: theme.vars.palette.load.text3,
    [theme.breakpoints.down('sm')]: { padding: '16px 12px' },
  },
}));

interface PublicPageProps {
  /** Text of the browser's tab. */
  tab: string;
  nav: ReactNode;
  children: ReactNode;
}

/** The frame of the pages anyone may read. */
export function PublicPage({ tab, nav, children }: PublicPageProps) {
  useEffect(() => {
    document.title = tab;
  }, [tab]);
  return (
    <>
      <Bar>
        <Brand to={paths.landing} aria-label="Plimsoll, home">
          <Mark size={26} />
          Plimsoll
        </Brand>
        <Links aria-label="Main">{nav}</Links>
      </Bar>
      <main>{children}</main>
      <Foot>
        <div>
          <span>Plimsoll, self-hosted monitoring. Apache-2.0.</span>
          <Links aria-label="Legal">
            <Link to={paths.landing}>Home</Link>
            <Link to={paths.terms}>Terms of Service</Link>
            <Link to={paths.privacy}>Privacy Policy</Link>
            <Link to={paths.login}>Sign In</Link>
          </Links>
        </div>
      </Foot>
    </>
  );
}

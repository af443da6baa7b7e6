import { styled } from '@mui/material/styles';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { publicUrl } from '../state/public-url.ts';
import { useStored } from '../state/use-stored.ts';
import { setTitle } from './tab-title.ts';

const Body = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: 16,
  padding: '0 24px 48px',
  minWidth: 0,
  [theme.breakpoints.down('sm')]: { padding: '0 12px 32px', gap: 12 },
}));
const Header = styled('header')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  flexWrap: 'wrap',
  gap: 12,
  paddingTop: 20,
  [theme.breakpoints.down('sm')]: { paddingTop: 12 },
}));
const Title = styled('h1')(({ theme }) => ({ ...theme.typography.h1, margin: 0 }));
const Sentence = styled('p')(({ theme }) => ({ margin: 0, color: theme.vars.palette.text.secondary }));
const Actions = styled('div')({ marginLeft: 'auto', display: 'flex', flexWrap: 'wrap', gap: 8 });

interface PageProps {
  title: string;
  /** Text of the browser's tab, when it is not the title. */
  tab?: string;
  /** The address of the page without its parameters, for search engines. */
  canonical?: string;
  /** One sentence that answers the page. */
  sentence?: ReactNode;
  actions?: ReactNode;
  /** False: the page brings its own header. */
  header?: boolean;
  children: ReactNode;
}

/** The frame of every page behind sign-in: heading, one sentence, actions, then its panels. */
export function Page({ title, tab = title, canonical, sentence, actions, header = true, children }: PageProps) {
  useEffect(() => {
    setTitle({ page: tab });
  }, [tab]);
  const [stored] = useStored(publicUrl);
  const base = stored !== null && /^https?:\/\//i.test(stored) ? stored : window.location.origin;
  return (
    <Body>
      {canonical !== undefined && <link rel="canonical" href={`${base}${canonical}`} />}
      {header && (
        <Header>
          <div>
            <Title>{title}</Title>
            {sentence !== undefined && <Sentence>{sentence}</Sentence>}
          </div>
          {actions !== undefined && <Actions>{actions}</Actions>}
        </Header>
      )}
      {children}
    </Body>
  );
}

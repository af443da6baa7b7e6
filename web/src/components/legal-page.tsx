import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { PublicPage } from './public-page.tsx';

const Article = styled('article')(({ theme }) => ({
  maxWidth: 720,
  margin: '0 auto',
  padding: '40px 24px 0',
  fontSize: 15,
  lineHeight: '25px',
  color: theme.vars.palette.text.secondary,
  [theme.breakpoints.down('sm')]: { padding: '16px 12px 0' },
  '& h1': {
    margin: 0,
    fontSize: 32,
    lineHeight: '40px',
    letterSpacing: '-0.02em',
    color: theme.vars.palette.text.primary,
  },
  '& h2': { margin: '40px 0 8px', fontSize: 18, lineHeight: '26px', color: theme.vars.palette.text.primary },
  '& p': { margin: '0 0 12px' },
  '& ul': { margin: '0 0 12px', paddingLeft: 20 },
  '& li + li': { marginTop: 4 },
  '& strong': { fontWeight: 600, color: theme.vars.palette.text.primary },
  '& article a, & p a, & li a': { textDecoration: 'underline' },
  '& table': { width: '100%', margin: '4px 0 16px', borderCollapse: 'collapse', fontSize: 14, lineHeight: '21px' },
  '& th, & td': {
    padding: '8px 16px 8px 0',
    textAlign: 'left',
    verticalAlign: 'top',
    fontWeight: 400,
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& th': { width: 120, color: theme.vars.palette.text.primary, fontWeight: 500 },
}));
const Dated = styled('p')(({ theme }) => ({ '&&': { margin: '4px 0 24px' }, color: theme.vars.palette.load.text3 }));
const Contents = styled('nav')(({ theme }) => ({
  margin: '24px 0 0',
  padding: '12px 16px',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  fontSize: 14,
  '& ol': { margin: 0, paddingLeft: 20, columns: '220px 2', columnGap: 24 },
  '& li': { breakInside: 'avoid' },
  '& a': { display: 'inline-block', minHeight: 24 },
}));

/** One part of a legal text; its number comes from where it stands. */
export interface LegalClause {
  id: string;
  title: string;
  text: ReactNode;
}

interface LegalPageProps {
  title: string;
  lastUpdated: string;
  intro: ReactNode;
  nav: ReactNode;
  clauses: readonly LegalClause[];
}

/** A legal text with its contents, readable at a desk and on a phone. */
export function LegalPage({ title, lastUpdated, intro, nav, clauses }: LegalPageProps) {
  return (
    <PublicPage tab={`${title} · Plimsoll`} nav={nav}>
      <Article>
        <h1>{title}</h1>
        <Dated>Last updated {lastUpdated}</Dated>
        {intro}
        <Contents aria-label="Contents">
          <ol>
            {clauses.map(({ id, title: name }) => (
              <li key={id}>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
          </ol>
        </Contents>
        {clauses.map(({ id, title: name, text }, index) => (
          <section key={id} aria-labelledby={id}>
            <h2 id={id}>
              {index + 1}. {name}
            </h2>
            {text}
          </section>
        ))}
      </Article>
    </PublicPage>
  );
}

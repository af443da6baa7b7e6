import { styled } from '@mui/material/styles';
import { Component, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Link } from '../../router.ts';
import { labelCells } from './label-cells.ts';

const Box = styled('div')(({ theme }) => ({
  minWidth: 0,
  overflowWrap: 'anywhere',
  '& p, & ul, & ol, & table, & pre': { margin: '0 0 10px' },
  '& > :last-child': { marginBottom: 0 },
  '& h1, & h2, & h3, & h4': { ...theme.typography.h2, margin: '12px 0 6px' },
  '& ul, & ol': { paddingLeft: 22 },
  '& code': { ...theme.typography.caption, fontFamily: 'JetBrains Mono Variable, monospace' },
  '& pre': { overflowX: 'auto', padding: 10, borderRadius: 6, backgroundColor: theme.vars.palette.action.selected },
  '& table': { borderCollapse: 'collapse', display: 'block', overflowX: 'auto', maxWidth: '100%' },
  '& th, & td': {
    padding: '4px 10px',
    textAlign: 'left',
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'normal',
  },
  '& th': { ...theme.typography.caption, color: theme.vars.palette.load.text3, fontWeight: 600 },
  // On a phone each row of a wide table is a list: its first cell is the heading, the others follow with their column.
  '@media (max-width: 599.95px)': {
    '& table.wide, & table.wide tbody': { display: 'block' },
    '& table.wide thead': { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' },
    '& table.wide tr': { display: 'grid', padding: '8px 0', borderBottom: `1px solid ${theme.vars.palette.divider}` },
    '& table.wide td': {
      display: 'grid',
      gridTemplateColumns: 'minmax(96px, 36%) 1fr',
      alignItems: 'baseline',
      gap: 12,
      padding: '2px 0',
      border: 0,
      overflowWrap: 'anywhere',
    },
    '& table.wide td::before': {
      ...theme.typography.caption,
      content: 'attr(data-label)',
      color: theme.vars.palette.load.text3,
    },
    '& table.wide td:first-of-type': { display: 'block', fontWeight: 600 },
    '& table.wide td:first-of-type::before': { content: 'none' },
    '& table.wide td:empty': { display: 'none' },
  },
}));
const Plain = styled('div')({ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' });

/** Deeper nesting is no answer: the parser's work grows with its square. */
const DEEPEST = 20;
const NESTED = new RegExp(
  String.raw`^(?:[ \t]*(?:>|[-*+][ \t])){${DEEPEST},}|^[ \t]{${2 * DEEPEST},}\S|[[(*_~\`]{64,}`,
  'm',
);

/** A path of this interface; anything else stays words. */
const isOwn = (href: string | undefined): href is string => href !== undefined && /^\/(?!\/|\\|%5c)/i.test(href);

const COMPONENTS: Components = {
  a: ({ href, children }) => (isOwn(href) ? <Link to={href}>{children}</Link> : <span>{children}</span>),
};

/** A renderer that fails must not take the page with it. */
class OrPlain extends Component<{ text: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? <Plain>{this.props.text}</Plain> : this.props.children;
  }
}

/** Markdown of an answer, without images and with links to own pages only: a foreign address would see who reads. */
export function Markdown({ text }: { text: string }) {
  if (NESTED.test(text)) return <Plain>{text}</Plain>;
  return (
    <OrPlain text={text} key={text.length}>
      <Box>
        <ReactMarkdown
          remarkPlugins={[[remarkGfm, { singleTilde: false }]]}
          rehypePlugins={[labelCells]}
          disallowedElements={['img']}
          components={COMPONENTS}
          skipHtml
        >
          {text}
        </ReactMarkdown>
      </Box>
    </OrPlain>
  );
}

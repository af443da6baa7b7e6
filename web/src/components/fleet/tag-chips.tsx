import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import { tagValue } from '../../format/tag-value.ts';
import { useScope } from '../../state/use-scope.ts';

const List = styled('ul')({
  display: 'flex',
  gap: 4,
  minWidth: 0,
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& li': { minWidth: 0, flex: '0 1 auto' },
});
const Tag = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.caption,
  // Above the link that covers a card.
  position: 'relative',
  zIndex: 1,
  display: 'block',
  maxWidth: '100%',
  color: theme.vars.palette.text.secondary,
  '& > span': {
    display: 'block',
    height: 20,
    padding: '0 6px',
    border: `1px solid ${theme.vars.palette.load.edge}`,
    borderRadius: 4,
    lineHeight: '18px',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  '&[aria-pressed="true"]': { color: theme.vars.palette.text.primary },
  '&[aria-pressed="true"] > span': { borderColor: theme.vars.palette.info.main },
  // A finger needs more than is drawn; the lines beside it keep their place.
  [theme.breakpoints.down('sm')]: { padding: '10px 0', margin: '-10px 0' },
}));

/** The tags of a server; each one narrows every page to the servers that have it. */
export function TagChips({ tags, most }: { tags: Readonly<Record<string, string>>; most: number }) {
  const { has, toggle } = useScope();
  const all = Object.entries(tags).map(tagValue);
  if (all.length === 0) return null;
  const rest = all.length - most;
  return (
    <List aria-label="Tags">
      {all.slice(0, most).map((value) => {
        const term = { key: 'tag', value } as const;
        return (
          <li key={value}>
            <Tag
              title={has(term) ? `Remove tag:${value} from the scope` : `Show only servers with ${value}`}
              aria-pressed={has(term)}
              onClick={() => toggle(term)}
            >
              <span>{value}</span>
            </Tag>
          </li>
        );
      })}
      {rest > 0 && <li title={all.slice(most).join(', ')}>+{rest}</li>}
    </List>
  );
}

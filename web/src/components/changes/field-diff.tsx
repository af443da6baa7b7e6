import { styled } from '@mui/material/styles';
import type { Change } from '@plimsoll/contract/wire/changes';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';
import { fieldName } from './change-words.ts';

const List = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(120px, max-content) minmax(0, 1fr)',
  gap: '6px 16px',
  margin: 0,
  alignItems: 'baseline',
  '& dt': { color: theme.vars.palette.text.secondary, overflowWrap: 'anywhere', maxWidth: 280 },
  '& dd': { margin: 0, display: 'flex', flexWrap: 'wrap', gap: '4px 8px', minWidth: 0 },
  '& code': {
    padding: '1px 6px',
    borderRadius: 4,
    fontSize: 12,
    overflowWrap: 'anywhere',
    backgroundColor: theme.vars.palette.action.selected,
  },
  '& del': { textDecoration: 'none', color: theme.vars.palette.load.overText },
  '& ins': { textDecoration: 'none', color: theme.vars.palette.load.okText },
  '& small': { ...theme.typography.caption, color: theme.vars.palette.load.text3 },
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)', '& dd': { marginBottom: 4 } },
}));
const More = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: '8px 0 0',
  color: theme.vars.palette.load.text3,
}));

const WAS = { set: 'was set', changed: 'changed', removed: 'was removed' } as const;

/** The fields of a change with − and +; a hidden value says only that it changed. */
export function FieldDiff({ fields, most = 12 }: { fields: Change['fields']; most?: number }) {
  const shown = fields.slice(0, most);
  return (
    <>
      <List>
        {shown.map(({ field, was, before, after, hidden }) => (
          <div key={field} style={{ display: 'contents' }}>
            <dt>{fieldName(field)}</dt>
            <dd>
              {hidden ? (
                <small>{WAS[was]}, value hidden</small>
              ) : (
                <>
                  <del>
                    <VisuallyHidden>from </VisuallyHidden>
                    <code>− {escapeInvisible(before ?? 'not set')}</code>
                  </del>
                  <ins>
                    <VisuallyHidden>to </VisuallyHidden>
                    <code>+ {escapeInvisible(after ?? 'not set')}</code>
                  </ins>
                </>
              )}
            </dd>
          </div>
        ))}
      </List>
      {fields.length > most && <More>{plural(fields.length - most, 'more field')}</More>}
    </>
  );
}

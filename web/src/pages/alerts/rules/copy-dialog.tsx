import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { styled } from '@mui/material/styles';
import type { AlertRuleOnWire } from '@plimsoll/contract/wire/alert-rules';
import { useId, useState } from 'react';
import { CHANGED_BY_RULES, saveRule } from '../../../api/alert-rules.ts';
import { failureText } from '../../../api/client.ts';
import { useMutation, useQueryClient } from '../../../api/query.ts';
import { Notice } from '../../../components/feedback/notice.tsx';
import { Check } from '../../../components/form/check.tsx';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { plural } from '../../../format/figures.ts';
import { FieldStack, Quiet } from '../../../components/form/form-parts.tsx';
import { bodyOfRule } from './rule-draft.ts';
import { metricWords } from '../../../format/incident-words.ts';

const List = styled('div')({ display: 'grid', maxHeight: 320, overflowY: 'auto' });

interface CopyDialogProps {
  rule: AlertRuleOnWire;
  servers: readonly { id: string; name: string }[];
  onClose: () => void;
  onCopied: (count: number) => void;
}

/** Returns the fields that put a copy on one server; a rule of a mount point stays one. */
const onServer = (rule: AlertRuleOnWire, id: string) =>
  rule.target === 'mount'
    ? { where: { mount: rule.mount ?? '', server_id: id } }
    : { target: 'server' as const, where: { server_id: id } };

/** Copies a rule to chosen servers, one rule for each. What failed stays ticked. */
export function CopyDialog({ rule, servers, onClose, onCopied }: CopyDialogProps) {
  const id = useId();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const queries = useQueryClient();
  const copy = useMutation({
    async mutationFn(ids: readonly string[]) {
      const left = new Set(ids);
      try {
        for (const server of ids) {
          await saveRule(null, bodyOfRule(rule, onServer(rule, server)));
          left.delete(server);
        }
      } finally {
        setChosen(left);
        for (const queryKey of CHANGED_BY_RULES) void queries.invalidateQueries({ queryKey });
      }
      return ids.length;
    },
    onSuccess: onCopied,
  });
  const shown = servers.filter(
    (server) => server.id !== rule.server_id && server.name.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const tick = (server: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(server);
    else next.delete(server);
    setChosen(next);
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="xs" transitionDuration={0}>
      <DialogTitle id={id} variant="h2" component="h2">
        Copy {metricWords(rule.metric)} to servers
      </DialogTitle>
      <DialogContent>
        <FieldStack>
          <Quiet>{rule.text}. A rule of a server overrides the rules of its tags and of all servers.</Quiet>
          <LabelledInput label="Filter" value={search} onChange={(event) => setSearch(event.target.value)} />
          <List role="group" aria-label="Servers">
            {shown.map((server) => (
              <Check key={server.id} checked={chosen.has(server.id)} onChange={(on) => tick(server.id, on)}>
                {server.name}
              </Check>
            ))}
          </List>
          {shown.length === 0 && <Quiet>No server matches.</Quiet>}
          {copy.error !== null && (
            <Notice tone="error">
              {failureText(copy.error)} {plural(chosen.size, 'server')} still ticked did not get the rule.
            </Notice>
          )}
        </FieldStack>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="contained"
          disabled={chosen.size === 0 || copy.isPending}
          onClick={() => copy.mutate([...chosen])}
        >
          Copy to {plural(chosen.size, 'server')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

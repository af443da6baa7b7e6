import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { styled } from '@mui/material/styles';
import type { AiSettings, AiTestAnswer } from '@plimsoll/contract/wire/ai';
import { useState } from 'react';
import { aiSettingsQuery, removeAiSettings, saveAiSettings, testAiSettings } from '../../api/ai.ts';
import { failureText } from '../../api/client.ts';
import { useQuery, useQueryClient } from '../../api/query.ts';
import { ErrorState } from '../../components/feedback/states.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../components/form/labelled-select.tsx';

const Form = styled('div')({ display: 'grid', gap: 14, paddingTop: 4 });

const PROVIDERS = [
  { value: 'openai-compatible', label: 'OpenAI-compatible (OpenAI, Ollama, vLLM, LM Studio, llama.cpp)' },
  { value: 'anthropic', label: 'Anthropic' },
] as const;

/** The provider of the organisation, or the one that the operator has set. */
export function ModelSettings({ onClose }: { onClose: () => void }) {
  const { data, error } = useQuery(aiSettingsQuery());
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="model-title">
      <DialogTitle id="model-title">Model of the assistant</DialogTitle>
      {error !== null && <ErrorState message={failureText(error)} />}
      {data !== undefined && <Settings settings={data} onClose={onClose} />}
    </Dialog>
  );
}

function Tested({ answer: { ok, detail, remedy, duration_ms: ms } }: { answer: AiTestAnswer }) {
  if (!ok) return <ErrorState message={detail} detail={remedy ?? undefined} />;
  return (
    <p role="status">
      {detail} in {(ms / 1000).toFixed(1)} s.
    </p>
  );
}

function Settings({ settings, onClose }: { settings: AiSettings; onClose: () => void }) {
  const client = useQueryClient();
  const [provider, setProvider] = useState(settings.provider);
  const [baseUrl, setBaseUrl] = useState(settings.base_url ?? '');
  const [model, setModel] = useState(settings.model ?? '');
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [tested, setTested] = useState<AiTestAnswer | null>(null);
  const fixed = settings.source === 'environment';
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setFailure(null);
    setTested(null);
    await work().catch((problem: unknown) => setFailure(failureText(problem)));
    await client.invalidateQueries({ queryKey: ['ai'] });
    setBusy(false);
  };
  const save = () => saveAiSettings({ provider, base_url: baseUrl, model, ...(key !== '' && { api_key: key }) });
  const test = () =>
    act(async () => {
      if (!fixed) await save();
      setTested(await testAiSettings());
    });
  return (
    <>
      <DialogContent>
        <Form>
          <p>
            {fixed
              ? 'The operator has set the model in the environment (AI_BASE_URL, AI_MODEL, AI_API_KEY).'
              : 'With a model, questions and the figures needed to answer them are sent to its address. Without one, answers come from the figures alone and nothing leaves this machine.'}
          </p>
          <LabelledSelect
            label="Provider"
            value={provider}
            options={PROVIDERS}
            onChange={(value) => setProvider(value === 'anthropic' ? 'anthropic' : 'openai-compatible')}
            disabled={fixed}
          />
          <LabelledInput
            label="Address"
            value={baseUrl}
            onChange={(event) => setBaseUrl(event.target.value)}
            placeholder="https://api.example.com/v1"
            disabled={fixed}
          />
          <LabelledInput
            label="Model"
            value={model}
            onChange={(event) => setModel(event.target.value)}
            disabled={fixed}
          />
          <LabelledInput
            label="API key"
            type="password"
            value={key}
            onChange={(event) => setKey(event.target.value)}
            placeholder={settings.key_end === null ? 'none' : `••••${settings.key_end}`}
            disabled={fixed}
          />
          {failure !== null && <ErrorState message={failure} />}
          {tested !== null && <Tested answer={tested} />}
        </Form>
      </DialogContent>
      <DialogActions>
        {settings.source === 'stored' && (
          <Button color="error" disabled={busy} onClick={() => void act(removeAiSettings)}>
            Remove
          </Button>
        )}
        <Button disabled={busy || model === '' || baseUrl === ''} onClick={() => void test()}>
          {fixed ? 'Test' : 'Save and test'}
        </Button>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </>
  );
}

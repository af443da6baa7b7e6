import { styled } from '@mui/material/styles';
import { useState } from 'react';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { Toggle } from '../../components/form/toggle.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { deploySteps, type Pipeline } from './deploy-step-texts.ts';

const Code = styled('pre')(({ theme }) => ({
  margin: '10px 0 0',
  padding: 12,
  borderRadius: 6,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  fontSize: 12,
  lineHeight: '18px',
  backgroundColor: theme.vars.palette.action.hover,
}));
const Words = styled('p')(({ theme }) => ({
  margin: 0,
  color: theme.vars.palette.text.secondary,
  '& a': { textDecoration: 'underline', textUnderlineOffset: 3 },
}));

const PIPELINES: readonly { value: Pipeline; label: string }[] = [
  { value: 'github', label: 'GitHub Actions' },
  { value: 'gitlab', label: 'GitLab CI' },
  { value: 'shell', label: 'Shell' },
];

/** Steps that a pipeline runs after a rollout, to be copied. */
export function DeploySteps({ origin }: { origin: string }) {
  const [pipeline, setPipeline] = useState<Pipeline>('github');
  const text = deploySteps(origin)[pipeline];
  return (
    <Panel
      title="Mark a deployment"
      actions={
        <>
          <Toggle
            label="Pipeline"
            value={pipeline}
            options={PIPELINES}
            onChange={(value) => setPipeline(PIPELINES.find((one) => one.value === value)?.value ?? 'github')}
          />
          <CopyButton text={text} label="Copy step" />
        </>
      }
    >
      <PanelBody>
        <Words>
          Create a token with the access “Add deploy marks only” on your <Link to={paths.profile}>Profile</Link>. It can
          read nothing. Store it as the secret PLIMSOLL_TOKEN.
        </Words>
        <Code>{text}</Code>
      </PanelBody>
    </Panel>
  );
}

import { IMAGE_REGISTRY } from '@plimsoll/contract/rules/image-registry';
import { CLUSTER_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import Switch from '@mui/material/Switch';
import { styled } from '@mui/material/styles';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { PasswordInput } from '../../components/form/password-input.tsx';
import { Small } from './setup-parts.tsx';

export interface ClusterOptions {
  /** Null: the registry that the operator of this dashboard set, if any. */
  registry: string | null;
  /** Empty: the dashboard shows the start of the cluster's uid. */
  clusterName: string;
  prometheus: boolean;
  telegram: boolean;
  botToken: string;
  chatId: string;
}
/** Prometheus and kube-state-metrics on; node-exporter is never part of it. */
export const DEFAULT_OPTIONS: ClusterOptions = {
  registry: null,
  clusterName: '',
  prometheus: true,
  telegram: false,
  botToken: '',
  chatId: '',
};

/** Returns the registry without the slash at its end; null while it is empty or not the name of one. */
export function registryOrNull(text: string): string | null {
  const registry = text.trim().replace(/\/+$/, '');
  return IMAGE_REGISTRY.test(registry) ? registry : null;
}

const Row = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  alignItems: 'center',
  gap: '0 10px',
  '& + &': { marginTop: 12 },
  '& label': { fontWeight: 600, cursor: 'pointer' },
  '&& .MuiSwitch-root': { width: 40, height: 32, padding: '8px 6px' },
  '&& .MuiSwitch-switchBase': { padding: 10, left: -2, color: theme.vars.palette.common.white },
  '&& .MuiSwitch-switchBase.Mui-checked': { color: theme.vars.palette.common.white, transform: 'translateX(12px)' },
  '&& .MuiSwitch-thumb': { width: 12, height: 12, boxShadow: 'none' },
  '&& .MuiSwitch-track': { borderRadius: 8, opacity: 1, backgroundColor: theme.vars.palette.load.control },
  '&& .MuiSwitch-switchBase.Mui-checked + .MuiSwitch-track': {
    opacity: 1,
    backgroundColor: theme.vars.palette.primary.main,
  },
}));
const Fields = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  gap: 12,
  margin: '12px 0 0 50px',
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)', marginLeft: 0 },
}));

interface OptionProps {
  name: string;
  explanation: ReactNode;
  on: boolean;
  onChange: (on: boolean) => void;
}

function Option({ name, explanation, on, onChange }: OptionProps) {
  const id = useId();
  return (
    <Row>
      <Switch
        id={id}
        size="small"
        checked={on}
        onChange={(_, checked) => onChange(checked)}
        slotProps={{ input: { 'aria-describedby': `${id}-why` } }}
      />
      <div>
        <label htmlFor={id}>{name}</label>
        <Small id={`${id}-why`}>{explanation}</Small>
      </div>
    </Row>
  );
}

const Line = styled('div')({ marginTop: 12 });

interface KubernetesOptionsProps {
  /** As the field shows it. */
  registry: string;
  options: ClusterOptions;
  onChange: (options: ClusterOptions) => void;
}

export function KubernetesOptions({ registry, options, onChange }: KubernetesOptionsProps) {
  const set = (change: Partial<ClusterOptions>) => onChange({ ...options, ...change });
  return (
    <Panel title="1. Options">
      <PanelBody>
        <Option
          name="Prometheus and kube-state-metrics"
          explanation="Adds restarts and history from before the installation. The first report takes about 90 s instead of 60 s. node-exporter stays off."
          on={options.prometheus}
          onChange={(prometheus) => set({ prometheus })}
        />
        <Option
          name="Telegram notifications"
          explanation="Optional. The command includes them only if you fill in both fields. Plimsoll then adds the channel “Telegram (Helm values)” and sends a test message. If none arrives, press Test under Alerts → Channels."
          on={options.telegram}
          onChange={(telegram) => set({ telegram })}
        />
        {options.telegram && (
          <Fields>
            <PasswordInput
              label="Bot token"
              autoComplete="off"
              value={options.botToken}
              onChange={(event) => set({ botToken: event.target.value })}
            />
            <LabelledInput
              label="Chat / group ID"
              autoComplete="off"
              value={options.chatId}
              onChange={(event) => set({ chatId: event.target.value })}
            />
          </Fields>
        )}
        <Line>
          <LabelledInput
            label="Cluster name"
            autoComplete="off"
            placeholder="production"
            inputProps={{ maxLength: CLUSTER_LIMITS.nameCharacters }}
            value={options.clusterName}
            onChange={(event) => set({ clusterName: event.target.value })}
            hint="The dashboard calls the cluster so. Empty: the start of its uid."
          />
        </Line>
        <Line>
          <LabelledInput
            label="Image registry"
            autoComplete="off"
            spellCheck={false}
            placeholder="registry.example.com/team"
            value={registry}
            onChange={(event) => set({ registry: event.target.value })}
            hint="The cluster pulls plimsoll-node-agent and plimsoll-cluster-collector from here."
            problem={
              registry === '' || registryOrNull(registry) !== null
                ? null
                : 'Image registry: must be lower case and without https://. Write it like registry.example.com/team.'
            }
          />
        </Line>
      </PanelBody>
    </Panel>
  );
}

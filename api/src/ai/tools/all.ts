import type { Tool } from '../types.ts';
import { alertTools } from './alerts.ts';
import { kubernetesTools } from './kubernetes.ts';
import { processTools } from './processes.ts';
import { seriesTools } from './series.ts';
import { serverTools } from './servers.ts';

/** Every tool of the assistant and of the MCP endpoint. All read, none writes. */
export const TOOLS: readonly Tool[] = [
  ...serverTools,
  ...seriesTools,
  ...alertTools,
  ...processTools,
  ...kubernetesTools,
];

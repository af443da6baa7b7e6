import type { Tool } from '../types.ts';
import { alertTools } from './alerts.ts';
import { causeTools } from './causes.ts';
import { changeTools } from './changes.ts';
import { capacityTools } from './capacity.ts';
import { checkTools } from './checks.ts';
import { diskTools } from './disks.ts';
import { hardwareTools } from './hardware.ts';
import { incidentTools } from './incidents.ts';
import { kubernetesTools } from './kubernetes.ts';
import { lineTools } from './lines.ts';
import { processTools } from './processes.ts';
import { rankedTools } from './ranked.ts';
import { ruleTools } from './rules.ts';
import { seriesTools } from './series.ts';
import { serverTools } from './servers.ts';
import { updateTools } from './updates.ts';
import { workloadTools } from './workloads.ts';

/** Every tool of the assistant and of the MCP endpoint. All read, none writes. */
export const TOOLS: readonly Tool[] = [
  ...serverTools,
  ...seriesTools,
  ...diskTools,
  ...causeTools,
  ...alertTools,
  ...changeTools,
  ...lineTools,
  ...incidentTools,
  ...checkTools,
  ...ruleTools,
  ...processTools,
  ...kubernetesTools,
  ...capacityTools,
  ...rankedTools,
  ...workloadTools,
  ...hardwareTools,
  ...updateTools,
];

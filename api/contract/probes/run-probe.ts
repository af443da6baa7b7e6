import { timerMs } from '../rules/timer.ts';
import type { Probe, ProbeResult } from '../wire/check-probes.ts';
import { closeAll, type Opened } from './connect.ts';
import { probeHttp } from './http-probe.ts';
import { type Place, ProbeFailure, ProbeRun } from './probe-run.ts';
import { probeDns, probeTcp, probeTls } from './socket-probes.ts';

export type { Place };

/**
 * Runs a probe once, within its timeout. Never throws: what goes wrong is the result. Nothing stays open afterwards.
 * `stop` ends it early.
 */
export async function runProbe(probe: Probe, place: Place, stop?: AbortSignal): Promise<ProbeResult> {
  const timeout = AbortSignal.timeout(timerMs(probe.timeout_ms));
  const run = new ProbeRun(place, stop === undefined ? timeout : AbortSignal.any([timeout, stop]));
  const opened: Opened = [];
  try {
    await perform(run, probe, opened);
    return run.result(null);
  } catch (error) {
    // An error of the runtime itself says nothing about the target, and must not stop the other checks.
    return run.result(error instanceof ProbeFailure ? error : new ProbeFailure('failed'));
  } finally {
    await closeAll(opened);
  }
}

function perform(run: ProbeRun, probe: Probe, opened: Opened): Promise<void> {
  switch (probe.kind) {
    case 'http':
      return probeHttp(run, probe, opened);
    case 'tcp':
      return probeTcp(run, probe, opened);
    case 'dns':
      return probeDns(run, probe);
    case 'tls':
      return probeTls(run, probe, opened);
  }
}

/** The result of a probe that this place did not run. */
export const notRun = (reason: 'not_run' | 'address_refused'): ProbeResult => ({
  ok: false,
  reason,
  failed_phase: null,
  dns_ms: null,
  connect_ms: null,
  tls_ms: null,
  wait_ms: null,
  transfer_ms: null,
  total_ms: null,
  status: null,
  size_bytes: null,
  text_found: null,
  answer: null,
  certificate: null,
});

import { Worker } from 'node:worker_threads';
import { timerMs } from '@plimsoll/contract/rules/timer';
import { PLAN_EVERY_MS, SILENT_MS } from './freshness.ts';
import { failedPlan } from './compute-plan.ts';
import { draftOf } from './make-findings.ts';
import type { CapacityPlans } from './store.ts';
import type { PartTexts, PlanDraft } from './stored-plan.ts';

const LIMITS = { timeoutMs: 60_000, heapMb: 1024 } as const;

/** Message to the thread; `now` in epoch milliseconds. */
export interface PlanRequest {
  texts: PartTexts;
  now: number;
}

/** Computes the plans that are due, one after the other. Returns their number; null: none was due. */
export async function planClusters(plans: CapacityPlans, now: number): Promise<number | null> {
  const due = await plans.listDue(now - PLAN_EVERY_MS, now - SILENT_MS);
  if (due.length === 0) return null;
  const failures: unknown[] = [];
  let thread = new PlanThread();
  try {
    for (const clusterKey of due) {
      const texts = await plans.readParts(clusterKey, now);
      if (texts === null) continue;
      try {
        await plans.save(clusterKey, await thread.compute({ texts, now }));
      } catch (error) {
        // The others are still planned, and this one is tried again with the next plans.
        failures.push(error);
        await plans.save(clusterKey, draftOf(failedPlan(), now));
        await thread.close();
        thread = new PlanThread();
      }
    }
  } finally {
    await thread.close();
  }
  if (failures.length > 0) throw new AggregateError(failures, `${String(failures.length)} plans failed`);
  return due.length;
}

/** A thread for one run of the job. A cluster that takes too much time or memory ends it. */
class PlanThread {
  readonly #worker = new Worker(new URL('plan-worker.ts', import.meta.url), {
    env: {},
    name: 'plimsoll-plan',
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.heapMb },
  });

  compute(request: PlanRequest): Promise<PlanDraft> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void this.#worker.terminate(), timerMs(LIMITS.timeoutMs));
      const listeners = {
        message: (draft: PlanDraft) => settle(() => resolve(draft)),
        error: (error: unknown) => settle(() => reject(error)),
        exit: () => settle(() => reject(new Error('the thread that computes a plan ended'))),
      };
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        // Only our own: without those that Node itself adds to a worker, its next message never arrives.
        for (const [event, listener] of Object.entries(listeners)) this.#worker.off(event, listener);
        finish();
      };
      for (const [event, listener] of Object.entries(listeners)) this.#worker.once(event, listener);
      this.#worker.postMessage(request, []);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

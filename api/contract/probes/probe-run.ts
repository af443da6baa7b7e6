import type { ProbePhase, ProbeReason } from '../rules/check-limits.ts';
import type { CertificatePart, ProbeResult } from '../wire/check-probes.ts';

/** Functions that a probe calls at the place where it runs. */
export interface Place {
  /** Returns true for an address that this place may connect to. */
  mayConnect: (address: string) => boolean;
  /** Steady clock in milliseconds. */
  milliseconds: () => number;
  /** Redacts a text of the answer before anything keeps it. */
  redact: (text: string) => string;
  /** Resolves a name; absent: the resolver of the system. Tests give their own. */
  resolve?: (host: string, ipVersion: 'any' | '4' | '6') => Promise<{ address: string; family: number }[]>;
  /** Resolves the records of a name; absent: the resolver of the system. */
  records?: (host: string, type: string, signal: AbortSignal) => Promise<string[]>;
  /** Certificates in PEM that are trusted beside those of the system. */
  authority?: string;
}

/** Ends a probe with its reason. */
export class ProbeFailure extends Error {
  override readonly name = 'ProbeFailure';
  readonly reason: ProbeReason;
  /** The whole answer came, and it is not the expected one. */
  readonly isJudgement: boolean;
  constructor(reason: ProbeReason, isJudgement = false) {
    super(reason);
    this.reason = reason;
    this.isJudgement = isJudgement;
  }
}

type Seen = Pick<ProbeResult, 'status' | 'size_bytes' | 'text_found' | 'answer'> & {
  certificate: CertificatePart | null;
};

/** One run of a probe: its deadline, the phase it is in, and what it saw. */
export class ProbeRun {
  readonly place: Place;
  readonly signal: AbortSignal;
  readonly seen: Seen = { status: null, size_bytes: null, text_found: null, answer: null, certificate: null };
  readonly #times = new Map<ProbePhase, number>();
  readonly #started: number;
  #phase: ProbePhase | null = null;
  #phaseStarted = 0;

  constructor(place: Place, signal: AbortSignal) {
    this.place = place;
    this.signal = signal;
    this.#started = place.milliseconds();
  }

  /** Ends the phase before and begins this one; null only ends. */
  enter(phase: ProbePhase | null): void {
    const now = this.place.milliseconds();
    if (this.#phase !== null)
      this.#times.set(this.#phase, (this.#times.get(this.#phase) ?? 0) + (now - this.#phaseStarted));
    this.#phase = phase;
    this.#phaseStarted = now;
  }

  result(failure: ProbeFailure | null): ProbeResult {
    const failedPhase = failure === null || failure.isJudgement ? null : this.#phase;
    this.enter(null);
    const of = (phase: ProbePhase): number | null => rounded(this.#times.get(phase));
    return {
      ok: failure === null,
      reason: failure?.reason ?? null,
      failed_phase: failedPhase,
      dns_ms: of('dns'),
      connect_ms: of('connect'),
      tls_ms: of('tls'),
      wait_ms: of('wait'),
      transfer_ms: of('transfer'),
      total_ms: rounded(this.place.milliseconds() - this.#started),
      ...this.seen,
    };
  }
}

const rounded = (ms: number | undefined): number | null =>
  ms === undefined ? null : Math.max(0, Math.round(ms * 10) / 10);

/** Rejects when the signal aborts: neither a resolver nor a stream takes every signal. */
export async function beforeEnd<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new ProbeFailure('timeout'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
    work.catch(() => undefined);
    promise.catch(() => undefined);
  }
}

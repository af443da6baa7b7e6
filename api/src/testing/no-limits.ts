import { SpreadLimit } from '../http/limits/spread-limit.ts';
import { RateLimit, type Rates, type SharedLimit } from '../http/limits/rate-limit.ts';

const ofReplica = (): RateLimit => new RateLimit({ perSecond: 1e9, burst: 1e9 });
const shared: SharedLimit = { require: () => Promise.resolve(), requireFrom: () => Promise.resolve() };

/** Rates that refuse nobody. */
export const noLimits = (): Rates => ({
  agent: ofReplica(),
  user: ofReplica(),
  largeBody: ofReplica(),
  signIn: shared,
  signInNetwork: shared,
  signInAccount: shared,
  signInEverywhere: shared,
  device: shared,
  totp: shared,
  enrol: ofReplica(),
  enrolToken: new SpreadLimit({ perSecond: 1e9, burst: 1e9 }),
  externalMetrics: ofReplica(),
  statusPage: ofReplica(),
  deployMarks: ofReplica(),
  heartbeat: ofReplica(),
  heartbeatNetwork: ofReplica(),
  ai: shared,
});

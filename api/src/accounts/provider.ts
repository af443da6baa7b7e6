import type { Provider } from './types.ts';

/** Who somebody is, as a provider vouches for it. */
export interface Person {
  /** Stable and unique at the provider; never the e-mail address. */
  subject: string;
  /** Verified by the provider; null when there is none. */
  email: string | null;
  name: string;
  avatarUrl: string | null;
  githubUsername?: string;
  /** GitHub only, lower case. */
  organisations?: string[];
}

/** What one sign-in carries from its beginning to the callback. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** A way to sign in elsewhere. Both throw `provider_failed` when the provider cannot be reached or answers nonsense. */
export interface SignInProvider {
  id: Provider;
  /** Where the browser goes. */
  authorizationUrl(secrets: FlowSecrets, redirectUri: string): Promise<string>;
  /** `callback`: the full address the browser came back to. */
  identify(callback: URL, secrets: FlowSecrets): Promise<Person>;
}

import type { Provider } from './types.ts';

/** A person's identity, as a provider confirms it. */
export interface Person {
  /** Stable and unique at the provider; never the e-mail address. */
  subject: string;
  /** Verified by the provider; null when there is none. */
  email: string | null;
  name: string;
  avatarUrl: string | null;
  githubUsername?: string;
  /** OpenID Connect only, as the configured claim lists them. */
  groups?: string[];
  /** GitHub only, lower case. */
  organisations?: string[];
}

/** Secrets of one sign-in, from its start to the callback. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** A way to sign in elsewhere. Both throw `provider_failed` when the provider cannot be reached or answers nonsense. */
export interface SignInProvider {
  id: Provider;
  /** Returns the address to send the browser to. */
  authorizationUrl(secrets: FlowSecrets, redirectUri: string): Promise<string>;
  /** `callback`: the full address the browser came back to. */
  identify(callback: URL, secrets: FlowSecrets): Promise<Person>;
}

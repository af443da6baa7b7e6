import type { EnvironmentReader, OAuthClient } from './environment.ts';
import { code, HTTP, NONE, type Setting, setting, type SettingRow } from './setting.ts';

/** Shortest password of an account made from the environment; the same as at first run. */
const ADMIN_PASSWORD_LENGTH = 12;
const GROUPS_CLAIM = 'groups';
const GITHUB_URL = 'https://github.com';
const GOOGLE_ISSUER = 'https://accounts.google.com';

function readAdmin(environment: EnvironmentReader): { email: string; password: string } | null {
  const both = environment.pair('PLIMSOLL_ADMIN_EMAIL', 'PLIMSOLL_ADMIN_PASSWORD');
  if (both === null) return null;
  const [email, password] = both;
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    environment.refuse('PLIMSOLL_ADMIN_EMAIL is not an e-mail address: write name@host');
  if (password.length < ADMIN_PASSWORD_LENGTH)
    environment.refuse(
      `PLIMSOLL_ADMIN_PASSWORD is too short: use at least ${String(ADMIN_PASSWORD_LENGTH)} characters`,
    );
  return { email, password };
}

function readOidc(environment: EnvironmentReader): (OAuthClient & { issuer: string }) | null {
  const issuer = environment.url('OIDC_ISSUER', HTTP);
  const client = environment.client('OIDC');
  if (issuer !== null && client !== null) return { issuer, ...client };
  if (issuer !== null)
    environment.refuse('OIDC_ISSUER is set but OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are not: set all three');
  if (client !== null) environment.refuse('OIDC_CLIENT_ID is set but OIDC_ISSUER is not: set all three');
  return null;
}

interface OidcGroups {
  claim: string;
  admin: string[];
  editor: string[];
  viewer: string[];
}

function readOidcGroups(environment: EnvironmentReader): OidcGroups | null {
  const claim = environment.text('OIDC_GROUPS_CLAIM');
  const roles = {
    admin: environment.list('OIDC_ADMIN_GROUPS'),
    editor: environment.list('OIDC_EDITOR_GROUPS'),
    viewer: environment.list('OIDC_VIEWER_GROUPS'),
  };
  const isSet = Object.values(roles).some((groups) => groups.length > 0);
  if (!isSet && claim !== null)
    environment.refuse(
      'OIDC_GROUPS_CLAIM is set without groups: set OIDC_ADMIN_GROUPS, OIDC_EDITOR_GROUPS or OIDC_VIEWER_GROUPS',
    );
  if (isSet && environment.text('OIDC_ISSUER') === null)
    environment.refuse('groups of an OpenID Connect issuer are set without OIDC_ISSUER: set it, or remove the groups');
  return isSet ? { claim: claim ?? GROUPS_CLAIM, ...roles } : null;
}

/** Returns id and secret of Plimsoll at a provider. */
const client = (prefix: string, row: Omit<SettingRow, 'names' | 'fallback'>): Setting<OAuthClient | null> => ({
  rows: [{ names: [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`], fallback: NONE, ...row }],
  read: (environment) => environment.client(prefix),
});

/** Creates the first account at start. */
const admin: Setting<{ email: string; password: string } | null> = {
  rows: [
    {
      names: ['PLIMSOLL_ADMIN_EMAIL', 'PLIMSOLL_ADMIN_PASSWORD'],
      fallback: NONE,
      meaning: `create the first account at start; the password has at least ${String(ADMIN_PASSWORD_LENGTH)} characters`,
      isSecret: true,
    },
  ],
  read: readAdmin,
};

const oidc: Setting<(OAuthClient & { issuer: string }) | null> = {
  rows: [
    {
      names: ['OIDC_ISSUER'],
      fallback: NONE,
      meaning: 'sign-in with any OpenID Connect issuer; needs the two settings below',
    },
    {
      names: ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
      fallback: NONE,
      meaning: 'id and secret of Plimsoll at this issuer',
      isSecret: true,
    },
  ],
  read: readOidc,
};

/** Roles in the operator's organisation by the groups of the issuer; null: groups mean nothing. */
const oidcGroups: Setting<OidcGroups | null> = {
  rows: [
    {
      names: ['OIDC_ADMIN_GROUPS', 'OIDC_EDITOR_GROUPS', 'OIDC_VIEWER_GROUPS'],
      fallback: NONE,
      meaning:
        'groups of the issuer, separated by commas, that give a role in the organisation of the first account; each sign-in settles it anew',
    },
    {
      names: ['OIDC_GROUPS_CLAIM'],
      fallback: code(GROUPS_CLAIM),
      meaning: 'claim of the id token or of the user info that lists the groups',
    },
  ],
  read: readOidcGroups,
};

/** Allowed to create an account through GitHub, Google or OIDC; empty lists allow nobody. */
const signUp: Setting<{ emails: string[]; domains: string[]; githubOrganisations: string[] }> = {
  rows: [
    {
      names: ['PLIMSOLL_SIGN_UP_EMAILS', 'PLIMSOLL_SIGN_UP_DOMAINS', 'PLIMSOLL_SIGN_UP_GITHUB_ORGANISATIONS'],
      fallback: 'nobody',
      meaning: 'lists, with commas between: who may create an account through GitHub, Google or OpenID Connect',
    },
  ],
  read: (environment) => {
    const lowerCase = (name: string): string[] => environment.list(name).map((one) => one.toLowerCase());
    return {
      emails: lowerCase('PLIMSOLL_SIGN_UP_EMAILS'),
      domains: lowerCase('PLIMSOLL_SIGN_UP_DOMAINS'),
      githubOrganisations: lowerCase('PLIMSOLL_SIGN_UP_GITHUB_ORGANISATIONS'),
    };
  },
};

export const signIn = {
  title: 'Accounts and sign-in',
  settings: {
    admin,
    github: client('GITHUB', { meaning: 'sign-in with GitHub', isSecret: true }),
    githubUrl: setting(
      'GITHUB_URL',
      { fallback: code(GITHUB_URL), meaning: 'a GitHub Enterprise Server instead' },
      (environment, name) => environment.url(name, HTTP) ?? GITHUB_URL,
    ),
    google: client('GOOGLE', { meaning: 'sign-in with Google', isSecret: true }),
    googleIssuer: setting(
      'GOOGLE_ISSUER',
      { fallback: code(GOOGLE_ISSUER), meaning: 'a gateway in front of Google instead' },
      (environment, name) => environment.url(name, HTTP) ?? GOOGLE_ISSUER,
    ),
    oidc,
    oidcGroups,
    signUp,
  },
};

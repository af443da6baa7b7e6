import { ROLES, type Role } from '@plimsoll/contract/rules/limits';

export const ROLE_NAME: Readonly<Record<Role, string>> = { viewer: 'Viewer', editor: 'Editor', admin: 'Admin' };
export const ROLE_RIGHTS: Readonly<Record<Role, string>> = {
  viewer: 'sees everything',
  editor: 'sees and changes alerts, rules and servers',
  admin: 'also members, channels, tokens and deletions',
};
/** From the least rights to the most. */
export const ROLE_OPTIONS = ROLES.map((role) => ({
  value: role,
  label: `${ROLE_NAME[role]}: ${ROLE_RIGHTS[role]}`,
}));
export const ROLE_NAME_OPTIONS = ROLES.map((role) => ({
  value: role,
  label: ROLE_NAME[role],
}));

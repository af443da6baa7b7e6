import type { StatusPageDraft } from '../status-pages/types.ts';

/** A page that shows everything it can of one server. */
export const openPage = (title: string, serverId: string): StatusPageDraft => ({
  title,
  message: '',
  servers: [{ serverId, label: null, group: null }],
  checks: [],
  showsNames: true,
  showsFigures: true,
  showsMaintenance: true,
  isIndexable: true,
  isPublished: true,
  expiresAt: null,
});

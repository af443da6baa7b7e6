import type { PoolClient } from 'pg';
import type { OrganisationId } from '../../tenancy/ids.ts';

/** Makes the messages due that a silence held; the adapter of notify brings it. */
export type WakeHeld = (client: PoolClient, organisationId: OrganisationId, now: number) => Promise<unknown>;

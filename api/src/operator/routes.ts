import { CUSTOM_LIMITS } from '@plimsoll/contract/rules/custom-resources';
import { PROTOCOL_VERSIONS_SPOKEN } from '@plimsoll/contract/rules/limits';
import { clusterObjects, clusterObjectsAnswer } from '@plimsoll/contract/wire/custom-resources';
import { changeClusterAnswer, changeClusterRequest } from '@plimsoll/contract/wire/kubernetes';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { changePermission } from './change-permission.ts';
import { syncObjects } from './sync-objects.ts';

/** The custom resources of a cluster, and what they may do. */
export const clusterObjectRoutes = (deps: Deps): Route[] => [syncRoute(deps), permissionRoute(deps)];

const permissionRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: '/api/kubernetes/clusters/:id',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Lets the custom resources of a cluster set rules of the whole organisation, or ends that',
      audit: 'cluster_changed',
      tag: 'Kubernetes',
      params: { id: z.string().min(1).max(128) },
      body: changeClusterRequest,
      answer: changeClusterAnswer,
    },
    async ({ actor, params: { id }, body }) => {
      await changePermission(deps, actor, { clusterId: id, allowed: body.objects_rule_organisation });
      return { cluster_id: id, objects_rule_organisation: body.objects_rule_organisation };
    },
  );

const syncRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/cluster/objects',
      actor: 'cluster',
      summary: 'Makes the rules, silences and channels of a cluster equal to its custom resources',
      audit: 'cluster_objects_applied',
      tag: 'Agent',
      body: clusterObjects,
      bodyBytes: CUSTOM_LIMITS.requestBytes,
      answer: clusterObjectsAnswer,
      bare: true,
    },
    async ({ actor, http, body }) => {
      if (!PROTOCOL_VERSIONS_SPOKEN.includes(body.v))
        throw new CodedError('version_not_spoken', `v: must be one of ${PROTOCOL_VERSIONS_SPOKEN.join(', ')}`, {
          field: 'v',
          remedy: 'Update the server or the collector, whichever is older.',
        });
      const address = http.get('clientAddress');
      const objects = await syncObjects(deps, { cluster: actor.cluster, address }, body);
      return { objects, server_time: deps.clock.now() / 1000 };
    },
  );

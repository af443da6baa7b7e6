import { z } from 'zod';

/** uid of kube-system. */
export const clusterId = z.string().min(1).max(128).optional();
export const searchText = z.string().max(253).optional();

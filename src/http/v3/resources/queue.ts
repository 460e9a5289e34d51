import { administrationRights } from '../../../access/administration.ts'
import type { QueueCounts } from '../../../queue/queues.ts'
import { integer } from '../../openapi/schema.ts'
import { resourceOf } from '../core/resource.ts'

declare module '../core/resource.ts' {
  interface Models {
    queue: QueueCounts
  }
}

/** A queue of the service's own work, with the number of its entries in each state. */
export const queue = resourceOf<QueueCounts>()({
  type: 'queue',
  rights: administrationRights,
  permissions: ['read', 'write'],
  representations: {
    minimal: ['name'],
    standard: ['name', 'waiting', 'delayed', 'active', 'failed'],
  },
  types: { active: integer },
})

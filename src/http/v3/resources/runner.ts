import { administrationRights } from '../../../access/administration.ts'
import { time } from '../../../domain/time/api-time.ts'
import type { ShownRunner } from '../../../store/jobs/runners.ts'
import { text } from '../../openapi/schema.ts'
import { each, resourceOf } from '../core/resource.ts'

declare module '../core/resource.ts' {
  interface Models {
    runner: ShownRunner
  }
}

const minimal = ['id', 'host'] as const

/** A process that runs jobs, or has run jobs. */
export const runner = resourceOf<ShownRunner>()({
  type: 'runner',
  rights: administrationRights,
  permissions: ['read', 'write'],
  representations: {
    minimal,
    standard: [
      ...minimal,
      'executor',
      'isolation',
      'os',
      'arch',
      'slots',
      'jobs',
      'version',
      'alive',
      'problem',
      'started_at',
      'heartbeat_at',
      'stopped_at',
    ],
  },
  values: {
    started_at: each(({ started_at }) => time(started_at)),
    heartbeat_at: each(({ heartbeat_at }) => time(heartbeat_at)),
    stopped_at: each(({ stopped_at }) => time(stopped_at)),
  },
  types: { id: text },
})

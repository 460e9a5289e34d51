import { requestRights } from '../../../access/build-rights.ts'
import type { RepositoryRecord } from '../../../access/visibility.ts'
import type { Stage } from '../../../domain/stage.ts'
import { time } from '../../../domain/time/api-time.ts'
import { integer } from '../../openapi/schema.ts'
import { each, resourceOf } from '../core/resource.ts'
import { jobsByStage } from '../records/build-parts.ts'

type StageModel = Stage & RepositoryRecord

declare module '../core/resource.ts' {
  interface Models {
    stage: StageModel
  }
}

const minimal = ['id', 'number', 'name', 'state', 'started_at', 'finished_at'] as const

/** A stage of a build, which has no path of its own. */
export const stage = resourceOf<StageModel>()({
  type: 'stage',
  rights: requestRights,
  permissions: ['read', 'write'],
  representations: { minimal, standard: [...minimal, 'jobs'] },
  values: {
    started_at: each(({ started_at }) => time(started_at)),
    finished_at: each(({ finished_at }) => time(finished_at)),
  },
  links: {
    jobs: {
      to: 'job',
      async read(view, stages) {
        const jobs = await jobsByStage(view, stages)
        return stages.map(({ id }, index) => jobs[index]?.get(id) ?? [])
      },
    },
  },
  types: { number: integer },
})

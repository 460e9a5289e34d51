import { cronsOfRepository } from '../../../store/repositories/crons.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { pageSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { oneRepository, repositoryTemplates } from '../records/one-repository.ts'
import { cron } from './cron.ts'

export const crons = collectionOf<Models['cron']>()({ type: 'crons', of: cron, limit: 25 })

export const cronsActions = actionsOf(crons, {
  for_repository: get(
    repositoryTemplates('/crons'),
    pageSteps(
      crons,
      {
        ...oneRepository,
        right: 'read',
        docs: { summary: 'the crons of a repository, one for each branch that has one' },
      },
      async ({ ctx }, repository, query) => {
        const { records, count } = await cronsOfRepository(ctx.db, repository, query)
        return { records: records.map((record) => ({ ...record, repository })), count }
      },
    ),
  ),
})

import { cronsOfRepository } from '../../../store/crons.ts'
import { actionsOf, get } from '../action.ts'
import { collectionOf } from '../collection.ts'
import { oneRepository, repositoryTemplates } from '../one-repository.ts'
import { pageSteps } from '../page-steps.ts'
import type { Models } from '../resource.ts'
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

import { settingsOf } from '../../../store/repositories/settings.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { listSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { oneRepository, repositoryTemplates } from '../records/one-repository.ts'
import { settingsIn } from '../records/repository-reads.ts'
import { setting } from './setting.ts'

export const settings = collectionOf<Models['setting']>()({ type: 'settings', of: setting })

export const settingsActions = actionsOf(settings, {
  for_repository: get(
    repositoryTemplates('/settings'),
    listSteps(
      settings,
      {
        ...oneRepository,
        right: 'settings_read',
        docs: {
          summary:
            'all settings of a repository, with the defaults of those that are not set; not paginated',
        },
      },
      async ({ ctx }, repository) =>
        settingsIn(await settingsOf(ctx.db, repository.id), repository),
    ),
  ),
})

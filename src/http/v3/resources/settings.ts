import { settingsOf } from '../../../store/settings.ts'
import { actionsOf, get } from '../action.ts'
import { collectionOf } from '../collection.ts'
import { oneRepository, repositoryTemplates } from '../one-repository.ts'
import { listSteps } from '../page-steps.ts'
import { settingsIn } from '../repository-reads.ts'
import type { Models } from '../resource.ts'
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

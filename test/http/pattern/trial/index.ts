import type * as resources from '../../../../src/http/v3/resources/index.ts'
import { repositories, repositoriesActions } from './repositories.ts'
import { conflictActions, setting, settingActions, settings, settingsActions } from './setting.ts'

/** The resources of V3, and those of the trial: one line for each in each of these tables. */
export function withTrial(present: typeof resources): typeof resources {
  return {
    registry: { ...present.registry, setting },
    alsoListed: present.alsoListed,
    collections: { ...present.collections, repositories, settings },
    actions: [
      ...present.actions,
      ...conflictActions,
      ...repositoriesActions,
      ...settingActions,
      ...settingsActions,
    ],
  }
}

import { repositoryRights } from '../../../../src/access/repository-rights.ts'
import type { Repository, Seen } from '../../../../src/domain/repository.ts'
import type { Settings } from '../../../../src/domain/settings.ts'
import { ServiceError } from '../../../../src/domain/errors.ts'
import type { Call } from '../../../../src/http/endpoint.ts'
import { flag } from '../../../../src/http/parameters/kinds.ts'
import { ofType } from '../../../../src/http/parameters/parameter.ts'
import { actionsOf, get, patch, post } from '../../../../src/http/v3/action.ts'
import type { Collection } from '../../../../src/http/v3/collection.ts'
import { oneRepository, repositoryTemplates } from '../../../../src/http/v3/one-repository.ts'
import { listSteps } from '../../../../src/http/v3/page-steps.ts'
import { as } from '../../../../src/http/v3/presented.ts'
import { resourceOf } from '../../../../src/http/v3/resource.ts'
import { repository } from '../../../../src/http/v3/resources/repository.ts'
import { warn } from '../../../../src/http/v3/warnings.ts'
import { changeSettings, settingsOf } from '../../../../src/store/settings.ts'

interface Setting {
  name: keyof Settings
  value: boolean | number
  repository: Seen<Repository>
}

declare module '../../../../src/http/v3/resource.ts' {
  interface Models {
    setting: Setting
  }
}

/** A setting of a repository, as errors call it by another name. */
export const setting = resourceOf<Setting>()({
  type: 'setting',
  errorName: 'user_setting',
  href: ({ repository, name }) => `/repo/${repository.id}/setting/${name}`,
  rights(viewer, { repository }) {
    const { settings_read, settings_update } = repositoryRights(viewer, repository)
    return { read: settings_read, write: settings_update }
  },
  permissions: ['read', 'write'],
  representations: { minimal: ['name', 'value'], standard: ['name', 'value'] },
})

/** All of them, which has no pages. */
export const settings: Collection<Setting> = { type: 'settings', of: setting }

const oneSetting = {
  type: 'user_setting',
  within: oneRepository,
  async find({ ctx, params }: Call, repository: Seen<Repository>): Promise<Setting | undefined> {
    const known = await settingsOf(ctx.db, repository.id)
    const name = params.setting as keyof Settings
    return name in known ? { name, value: known[name], repository } : undefined
  },
  rights: setting.rights,
}

export const settingActions = actionsOf(setting, {
  find: get(repositoryTemplates('/setting/{setting.name}'), {
    ...oneSetting,
    right: 'read',
    present: as('standard', setting),
  }),
  update: patch(repositoryTemplates('/setting/{setting.name}'), {
    ...oneSetting,
    login: true,
    accepts: ofType('setting', { value: flag() }),
    right: 'write',
    async act(call, record, { 'setting.value': value }) {
      await changeSettings(call.ctx.db, record.repository.id, { [record.name]: value })
      warn(call, { '@type': 'warning', message: `${record.name} was changed` })
      return { ...record, value }
    },
    present: as('standard', setting),
  }),
})

export const settingsActions = actionsOf(settings, {
  for_repository: get(
    repositoryTemplates('/settings'),
    listSteps(
      settings,
      { ...oneRepository, right: 'settings_read' },
      async ({ ctx }, repository) => {
        const known = Object.entries(await settingsOf(ctx.db, repository.id))
        return known.map(([name, value]) => ({ name: name as keyof Settings, value, repository }))
      },
    ),
  ),
})

/** What conflicts with the state of a repository: whether it is active. */
export const conflictActions = actionsOf(
  { type: 'conflict' },
  {
    create: post(repositoryTemplates('/conflict'), {
      ...oneRepository,
      login: true,
      right: 'create_request',
      async act(_call, resource): Promise<Seen<Repository>> {
        const about = { resource_type: 'repository', resource }
        if (!resource.active) {
          throw new ServiceError('repository_inactive', 'it is inactive', about)
        }
        const members = { max_requests: 10, per_seconds: 3600 }
        throw new ServiceError('request_limit_reached', 'too many', { ...about, members })
      },
      present: as('minimal', repository),
    }),
  },
)

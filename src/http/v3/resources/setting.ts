import { repositoryRights } from '../../../access/repository-rights.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import {
  defaultSettings,
  isNumberSetting,
  settingRanges,
  type Settings,
} from '../../../domain/settings.ts'
import { setSettings } from '../../../flow/repositories/set-settings.ts'
import {
  type Keeping,
  repositoryWithSettings,
} from '../../../store/repositories/repository-settings-view.ts'
import type { Call } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { anyValue, settingFlag, settingNumber } from '../../parameters/fields.ts'
import { described, ofType, required } from '../../parameters/parameter.ts'
import { actionsOf, get, patch } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { resourceOf } from '../core/resource.ts'
import { repositoryTemplates, repositoryWith } from '../records/one-repository.ts'

export interface Setting {
  name: keyof Settings
  value: Settings[keyof Settings]
  repository: Seen<Repository>
}

declare module '../core/resource.ts' {
  interface Models {
    setting: Setting
  }
}

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

const oneSetting = {
  type: 'user_setting',
  within: repositoryWith(repositoryWithSettings),
  async find(
    { params: { setting: name = '' } }: Call,
    { kept, ...repository }: Keeping<Partial<Settings>>,
  ): Promise<Setting | undefined> {
    if (!isSetting(name)) return
    return { name, value: { ...defaultSettings, ...kept }[name], repository }
  },
  rights: setting.rights,
}

function isSetting(name: string): name is keyof Settings {
  return Object.hasOwn(defaultSettings, name)
}

const flag = settingFlag()

/** The given value of this setting. Throws if the setting cannot have it. */
function valueOf({ name }: Setting, given: unknown) {
  const kind = isNumberSetting(name) ? settingNumber(settingRanges[name]) : flag
  return kind.read(given, 'setting.value')
}

export const settingActions = actionsOf(setting, {
  find: get(repositoryTemplates('/setting/{setting.name}'), {
    ...oneSetting,
    right: 'read',
    docs: { summary: 'a setting of a repository, or its default if not set' },
    present: as('standard', setting),
  }),
  update: patch(repositoryTemplates('/setting/{setting.name}'), {
    ...oneSetting,
    login: true,
    scope: 'settings',
    right: 'write',
    docs: { summary: 'changes a setting of a repository; needs the right to push' },
    accepts: ofType('setting', {
      value: described(
        'true or false, an integer, or null, depending on the setting',
        required(anyValue()),
      ),
    }),
    async act(call, found, { 'setting.value': given }): Promise<Setting> {
      const { name, repository } = found
      const changes = { [name]: valueOf(found, given) }
      const settings = await setSettings(call.ctx, actorOf(call), repository, changes)
      return { name, value: settings[name], repository }
    },
    present: as('standard', setting),
  }),
})

import { ServiceError } from '../../../domain/errors.ts'
import {
  defaultSettings,
  isNumberSetting,
  settingRanges,
  type Settings,
} from '../../../domain/settings.ts'
import { setSettings } from '../../../flow/repositories/set-settings.ts'
import { settingsOf } from '../../../store/repositories/settings.ts'
import { get, patch } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { memberRecord, settingFlag, settingNumber } from '../../parameters/fields.ts'
import type { Parameters, Values } from '../../parameters/parameter.ts'
import { oneRepository, repositoryPaths } from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { refusals } from '../refusals.ts'

const names = Object.keys(defaultSettings) as (keyof Settings)[]

/** Unlike the other number settings this one has no range, and null means 0. */
const unlimited: keyof Settings = 'maximum_number_of_builds'

/** Each setting as a member of `settings`; other members are ignored. */
const accepts: Parameters = {
  settings: memberRecord(
    () => new ServiceError('unprocessable_entity', 'Settings must be passed with a request'),
  ),
  ...Object.fromEntries(names.map((name) => [`settings.${name}`, kindOf(name)])),
}

function kindOf(name: keyof Settings) {
  if (!isNumberSetting(name)) return settingFlag()
  return settingNumber(
    name === unlimited ? { ...settingRanges[name], nullable: true } : settingRanges[name],
  )
}

/** The settings that were sent. */
function settingsIn(values: Values<typeof accepts>): Partial<Settings> {
  const sent = names.flatMap((name) => {
    const value = values[`settings.${name}`]
    return value === undefined ? [] : [[name, name === unlimited ? (value ?? 0) : value]]
  })
  return Object.fromEntries(sent) as Partial<Settings>
}

export const settingsEndpoints = [
  get(repositoryPaths('/settings'), {
    ...oneRepository,
    login: true,
    right: 'settings_read',
    docs: { summary: 'the settings of a repository', schema: answers.settings },
    act: ({ ctx }, { id }) => settingsOf(ctx.db, id),
    present: (settings) => ({ settings }),
  }),

  patch(repositoryPaths('/settings'), {
    ...oneRepository,
    login: true,
    scope: 'settings',
    right: 'settings_update',
    docs: {
      summary: 'changes the settings that are sent; needs the right to push',
      schema: answers.settings,
      example: { settings: { build_pushes: true } },
    },
    body: 'json',
    accepts,
    refused: { status: 404, answer: refusals.notFound },
    act: (call, repository, values) =>
      setSettings(call.ctx, actorOf(call), repository, settingsIn(values)),
    present: (settings) => ({ settings }),
  }),
]

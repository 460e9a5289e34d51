import { notFound } from '../../../domain/errors.ts'
import { setSettings } from '../../../flow/repositories/set-settings.ts'
import { settingsOf } from '../../../store/repositories/settings.ts'
import { get, givenIn, post } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { asPage } from '../as-page.tsx'
import { redirectWith } from '../notice.ts'
import { oneRepository } from '../one-repository.ts'
import { settingsPath } from '../paths.ts'
import { changesIn, settingGroups } from './groups.ts'
import { SettingsPage } from './page.tsx'

const show = asPage(SettingsPage)
const none: ReadonlyMap<string, string> = new Map()

const ofRepository = {
  ...oneRepository,
  login: true,
  scope: 'settings',
  right: 'settings_update',
} as const

export const settingPages = [
  get('/:owner/:name/settings', {
    ...ofRepository,
    async act({ ctx }, repository) {
      return { repository, settings: await settingsOf(ctx.db, repository.id), problems: none }
    },
    present: (read, call) => show(read, call),
  }),

  post('/:owner/:name/settings', {
    ...ofRepository,
    async act(call, repository) {
      const { ctx } = call
      const given = givenIn(call)
      const group = settingGroups.find(({ id }) => id === given.group)
      if (!group) throw notFound('setting')
      const { changes, problems } = changesIn(group, given)
      if (problems.size > 0) {
        const settings = { ...(await settingsOf(ctx.db, repository.id)), ...changes }
        return show({ repository, settings, problems }, call, 422)
      }
      await setSettings(ctx, actorOf(call), repository, changes)
      return redirectWith(ctx.site, settingsPath(ctx.site.prefix, repository), 'saved')
    },
    present: (answer) => answer,
  }),
]

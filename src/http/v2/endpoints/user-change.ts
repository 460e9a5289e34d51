import { userRights } from '../../../access/owner-rights.ts'
import { changeLocale } from '../../../flow/people/preferences.ts'
import { put } from '../../core/endpoint.ts'
import { idIn } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { language } from '../../parameters/fields.ts'
import { described } from '../../parameters/parameter.ts'
import { answers } from '../openapi/answers.ts'
import { presentUser } from '../present/user.ts'

export const userChangeEndpoints = [
  put('/users/:user', {
    type: 'user',
    login: true,
    scope: 'settings',
    forSome: false,
    accepts: { 'user.locale': described('a language, such as `en`', language()) },
    docs: {
      summary: 'changes the language of the caller; other users are not found',
      schema: answers.user,
      example: { user: { locale: 'en' } },
    },
    find: async ({ viewer: { user }, params }) =>
      idIn(params.user) === user?.id ? user : undefined,
    rights: userRights,
    right: 'write',
    act: async (call, user, { 'user.locale': locale }) =>
      locale === undefined ? user : changeLocale(call.ctx, locale, actorOf(call)),
    present: (user) => ({ user: presentUser(user) }),
  }),
]

import { loginRequired } from '../../../domain/errors.ts'
import { changeLocale } from '../../../flow/change-locale.ts'
import { actorOf } from '../../actor.ts'
import { put } from '../../endpoint.ts'
import { language } from '../../parameters/fields.ts'
import { described } from '../../parameters/parameter.ts'
import { answers } from '../openapi/answers.ts'
import { presentUser } from '../present/user.ts'

export const userChangeEndpoints = [
  /** It is always the caller who is changed, whatever the id (V2.1). */
  put('/users/:user', {
    login: true,
    scope: 'settings',
    accepts: { 'user.locale': described('a language, such as `en`', language()) },
    docs: {
      summary: 'changes the language of the caller, whatever the id',
      schema: answers.user,
      example: { user: { locale: 'en' } },
    },
    async answer(call, { 'user.locale': locale }) {
      const { ctx, viewer } = call
      if (!viewer.user) throw loginRequired()
      const user =
        locale === undefined ? viewer.user : await changeLocale(ctx, locale, actorOf(call))
      return { user: presentUser(user) }
    },
  }),
]

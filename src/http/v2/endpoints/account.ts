import { isForSome } from '../../../access/scopes.ts'
import { listViewer } from '../../../access/viewer.ts'
import { loginRequired } from '../../../domain/errors.ts'
import { type Account, accountsOf } from '../../../store/people/accounts.ts'
import { get } from '../../core/endpoint.ts'
import { flag } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { answers } from '../openapi/answers.ts'

export const accountEndpoints = [
  get('/accounts', {
    login: true,
    docs: {
      summary:
        'the caller, and the organizations where the caller is an admin; with `all` every one',
      schema: answers.accounts,
    },
    accepts: { all: described('whether all organizations of the caller are shown', flag()) },
    async answer({ ctx, viewer }, { all }) {
      if (!viewer.user) throw loginRequired()
      const accounts = await accountsOf(ctx.db, viewer.user, listViewer(viewer), {
        all,
        ofOrganizations: !isForSome(viewer),
      })
      return { accounts: accounts.map(presentAccount) }
    },
  }),
]

function presentAccount({ id, name, login, type, repos_count, avatar_url }: Account) {
  return { id, name, login, type: type.toLowerCase(), repos_count, avatar_url }
}

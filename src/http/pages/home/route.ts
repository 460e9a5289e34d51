import { permittedUser } from '../../../access/viewer.ts'
import { isVisible } from '../../../access/visibility.ts'
import { buildsByIds } from '../../../store/builds.ts'
import { commitsByIds } from '../../../store/commits.ts'
import { recentRepositories } from '../../../store/repositories.ts'
import { byId } from '../../by-id.ts'
import { type Call, get } from '../../endpoint.ts'
import { asPage } from '../as-page.tsx'
import { HomePage } from './page.tsx'

const most = 100
const show = asPage(HomePage)

export const homePages = [
  get('/', {
    async answer(call) {
      return show({ repositories: await listed(call) }, call)
    },
  }),
]

async function listed({ ctx: { db }, viewer }: Call) {
  const repositories = await recentRepositories(db, permittedUser(viewer), most)
  const ids = repositories.flatMap(({ last_build_id }) => last_build_id ?? [])
  const buildOf = byId(await buildsByIds(db, ids))
  const shown = repositories.map((repository) => {
    const build = buildOf(repository.last_build_id)
    return { repository, build: build && isVisible(repository, build) ? build : null }
  })
  const commitIds = shown.flatMap(({ build }) => build?.commit_id ?? [])
  const commitOf = byId(await commitsByIds(db, commitIds))
  return shown.map((each) => ({ ...each, commit: commitOf(each.build?.commit_id ?? null) }))
}

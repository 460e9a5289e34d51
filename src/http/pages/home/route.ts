import { permittedUser } from '../../../access/viewer.ts'
import { buildsByIds } from '../../../store/builds.ts'
import { commitsByIds } from '../../../store/commits.ts'
import { permittedAmong } from '../../../store/permissions.ts'
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
  const userId = permittedUser(viewer)
  const repositories = await recentRepositories(db, userId, most)
  const builds = await buildsByIds(
    db,
    repositories.flatMap(({ last_build_id }) => last_build_id ?? []),
  )
  const permitted = await permittedAmong(
    db,
    repositories.map(({ id }) => id),
    userId,
  )
  const visible = builds.filter((build) => !build.private || permitted.has(build.repository_id))
  const buildOf = byId(visible)
  const commitOf = byId(
    await commitsByIds(
      db,
      visible.map(({ commit_id }) => commit_id),
    ),
  )
  return repositories.map((repository) => {
    const build = buildOf(repository.last_build_id)
    return { repository, build, commit: commitOf(build?.commit_id ?? null) }
  })
}

import { permittedUser } from '../../../access/viewer.ts'
import { commitsByIds } from '../../../store/commits.ts'
import { recentRepositories } from '../../../store/repositories.ts'
import { byId } from '../../by-id.ts'
import { type Call, get } from '../../endpoint.ts'
import { lastBuildsOfRepositories } from '../../last-builds.ts'
import { asPage } from '../as-page.tsx'
import { HomePage } from './page.tsx'

const most = 100
const show = asPage(HomePage)

export const homePages = [
  get('/', {
    async answer(call) {
      const { registration, codehosts } = call.ctx
      const offersSetup = registration !== undefined && codehosts.codehost === undefined
      return show({ repositories: await listed(call), offersSetup }, call)
    },
  }),
]

async function listed({ ctx: { db }, viewer }: Call) {
  const repositories = await recentRepositories(db, permittedUser(viewer), {
    limit: most,
    closed: viewer.closed,
  })
  const builds = await lastBuildsOfRepositories(db, repositories)
  const commitIds = builds.flatMap((build) => build?.commit_id ?? [])
  const commitOf = byId(await commitsByIds(db, commitIds))
  return repositories.map((repository, index) => {
    const build = builds[index] ?? null
    return { repository, build, commit: commitOf(build?.commit_id ?? null) }
  })
}

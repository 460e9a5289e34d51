import { listViewer, permittedUser } from '../../../access/viewer.ts'
import { openBuilds } from '../../../store/builds/listed-builds.ts'
import { commitsByIds } from '../../../store/commits/commits.ts'
import { recentRepositories } from '../../../store/repositories/repositories.ts'
import { type Call, get } from '../../core/endpoint.ts'
import { byId } from '../../core/path-id.ts'
import { lastBuildsOfRepositories } from '../../views/last-builds.ts'
import { asPage } from '../as-page.tsx'
import { textInQuery } from '../text-in-query.ts'
import { HomePage } from './page.tsx'

const most = 100
const mostWaiting = 20
const show = asPage(HomePage)

export const homePages = [
  get('/', {
    async answer(call) {
      const { registration, codehosts } = call.ctx
      const offersSetup = registration !== undefined && codehosts.codehost === undefined
      const search = textInQuery(call.query, 'search')
      const [repositories, waiting] = await Promise.all([listed(call, search), waitingFor(call)])
      return show({ repositories, search, waiting, offersSetup }, call)
    },
  }),
]

async function listed({ ctx: { db }, viewer }: Call, search: string) {
  const repositories = await recentRepositories(db, permittedUser(viewer), {
    limit: most,
    closed: viewer.closed,
    search,
  })
  const builds = await lastBuildsOfRepositories(db, repositories)
  const commitIds = builds.flatMap((build) => build?.commit_id ?? [])
  const commitOf = byId(await commitsByIds(db, commitIds))
  return repositories.map((repository, index) => {
    const build = builds[index] ?? null
    return { repository, build, commit: commitOf(build?.commit_id ?? null) }
  })
}

async function waitingFor({ ctx: { db }, viewer }: Call) {
  const found = await openBuilds(db, listViewer(viewer), mostWaiting + 1)
  const shown = found.slice(0, mostWaiting)
  const commitIds = shown.map(({ commit_id }) => commit_id)
  const commitOf = byId(await commitsByIds(db, commitIds))
  const builds = shown.map((build) => ({ build, commit: commitOf(build.commit_id) }))
  return { builds, hasMore: found.length > mostWaiting }
}

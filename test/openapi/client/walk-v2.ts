import createClient from 'openapi-fetch'
import { succeeded } from './succeeded.js'
import type { paths } from './v2.1.js'

/** Reads and changes a repository with what the document of V2.1 says. */
export async function walkV2(baseUrl: string, token: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `token ${token}` } })

  const { hello } = succeeded(await client.GET('/'))
  const { repos } = succeeded(await client.GET('/repos', { params: { query: { limit: 5 } } }))
  const byId = succeeded(
    await client.GET('/repos/{id_or_owner}', {
      params: { path: { id_or_owner: 'octavia/hello' } },
    }),
  )
  const slug = typeof byId === 'object' && 'repo' in byId ? byId.repo.slug : undefined
  const ofOwner = succeeded(
    await client.GET('/repos/{id_or_owner}', { params: { path: { id_or_owner: 'octavia' } } }),
  )
  const owned = typeof ofOwner === 'object' && 'repos' in ofOwner ? ofOwner.repos.length : undefined

  const [owner = '', name = ''] = slug?.split('/') ?? []
  const { builds, commits } = succeeded(
    await client.GET('/repos/{owner}/{name}/builds', { params: { path: { owner, name } } }),
  )
  const build = builds[0]?.id ?? 0
  const { jobs } = succeeded(await client.GET('/builds/{build}', { params: { path: { build } } }))
  const job = jobs[0]?.id ?? 0
  const log: unknown = succeeded(
    await client.GET('/jobs/{job}/log', { params: { path: { job } }, parseAs: 'text' }),
  )

  const query = { slug: 'octavia/hello' }
  const { env_var } = succeeded(
    await client.POST('/settings/env_vars', {
      params: { query },
      body: { env_var: { name: 'COLOUR', value: 'red', public: true } },
    }),
  )
  const removed = succeeded(
    await client.DELETE('/settings/env_vars/{env_var}', {
      params: { path: { env_var: env_var.id }, query },
    }),
  )
  const { flash } = succeeded(
    await client.POST('/builds/{build}/restart', { params: { path: { build } } }),
  )
  const missing = await client.GET('/builds/{build}', { params: { path: { build: 999 } } })

  return {
    hello,
    repos: repos.map((repo) => repo.slug),
    slug,
    owned,
    sha: commits[0]?.sha,
    number: jobs[0]?.number,
    log,
    removed: removed.env_var.name,
    notices: flash.map(({ notice }) => notice),
    missing: missing.response.status,
  }
}

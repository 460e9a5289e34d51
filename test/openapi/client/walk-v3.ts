import createClient from 'openapi-fetch'
import { succeeded } from './succeeded.js'
import type { paths } from './v3.js'

/** Reads and changes a repository with what the document of V3 says. */
export async function walkV3(baseUrl: string, token: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `token ${token}` } })

  const { resources } = succeeded(await client.GET('/'))
  const { login } = succeeded(await client.GET('/user'))
  const repository = 'octavia/hello'
  const params = { path: { repository } }
  const { slug } = succeeded(await client.GET('/repo/{repository}', { params }))
  const { branches } = succeeded(
    await client.GET('/repo/{repository}/branches', {
      params: { ...params, query: { limit: 1, sort_by: ['name'] } },
    }),
  )
  const { builds } = succeeded(await client.GET('/repo/{repository}/builds', { params }))
  const newest = builds[0]
  const build = String(newest !== undefined && 'id' in newest ? newest.id : 0)
  const { jobs } = succeeded(
    await client.GET('/build/{build}/jobs', { params: { path: { build } } }),
  )
  const first = jobs[0]
  const job = String(first !== undefined && 'id' in first ? first.id : 0)
  const log = succeeded(
    await client.GET('/job/{job}/log.txt', { params: { path: { job } }, parseAs: 'text' }),
  )

  const created = succeeded(
    await client.POST('/repo/{repository}/env_vars', {
      params,
      body: { env_var: { name: 'SHAPE', value: 'round', public: true } },
    }),
  )
  const removed = await client.DELETE('/repo/{repository}/env_var/{env_var}', {
    params: { path: { repository, env_var: created.id } },
  })
  const pending = succeeded(
    await client.POST('/build/{build}/restart', { params: { path: { build } } }),
  )
  const missing = await client.GET('/build/{build}', { params: { path: { build: '999' } } })

  return {
    resources: Object.keys(resources).includes('build'),
    login,
    slug,
    branch: branches.map((each) => ('name' in each ? each.name : undefined)),
    log,
    created: created.name,
    removed: removed.response.status,
    pending: pending.state_change,
    missing: missing.error?.error_type,
  }
}

import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { storeRawConfigs } from '../../../src/store/requests/raw-configs.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { callerOf } from './roles.ts'

const { db } = await ownDatabase()
const make = factories(db)
const server = await createServer(testContext(db))
let call: Awaited<ReturnType<typeof callerOf>>

// Of repository 1: request 1 with two sources, request 2 with more, request 3 with none.
beforeAll(async () => {
  call = await callerOf(server, db)
  const web = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  for (const _request of [1, 2, 3]) await make.request({ repository: web })
  const sha = 'c'.repeat(40)
  await storeRawConfigs(db, { id: 1, repository_id: 1 }, [
    { source: 'api', sha: null, text: 'script: make', merge_mode: 'merge' },
    { source: `acme/web:.service.yml@${sha}`, sha, text: 'git: {depht: 3}\n', merge_mode: null },
  ])
})

const shown = (
  source: string,
  config: string,
  merge_mode: string | null = null,
  representation = 'minimal',
) => ({
  '@type': 'request_raw_configuration',
  '@representation': representation,
  '@permissions': { read: true, write: false },
  config,
  source,
  merge_mode,
})

/** What the configuration of a request is made of, in its own answer and in that of the list. */
async function sourcesOf(id: number, query = ''): Promise<[unknown, unknown]> {
  const [, one] = await call('reader', `GET /repo/1/request/${id}${query}`)
  const [, list] = await call('reader', `GET /repo/1/requests${query}`)
  const { requests } = list as { requests: { id: number; raw_configs: unknown }[] }
  const listed = requests.find((each) => each.id === id)
  return [(one as { raw_configs: unknown }).raw_configs, listed?.raw_configs]
}

describe('a raw configuration of a request', () => {
  test.each([
    ['', 'minimal'],
    ['?include=request.raw_configs', 'standard'],
  ])('is the original text, with its source and its merge mode: %s', async (query, as) => {
    const expected = [
      shown('api', 'script: make', 'merge', as),
      shown(`acme/web:.service.yml@${'c'.repeat(40)}`, 'git: {depht: 3}\n', null, as),
    ]
    expect(await sourcesOf(1, query)).toEqual([expected, expected])
    expect(await sourcesOf(3, query)).toEqual([[], []])
  })

  test('shows each source once, with the text that counts', async () => {
    const own = { sha: null, merge_mode: null }
    await storeRawConfigs(db, { id: 2, repository_id: 1 }, [
      { ...own, source: 'acme/shared:b.yml@main', text: 'script: one' },
      { ...own, source: 'acme/shared:a.yml@main', text: 'script: same' },
      { ...own, source: 'acme/shared:b.yml@main', text: 'script: two' },
      { ...own, source: 'acme/shared:c.yml@main', text: 'script: same' },
    ])
    const expected = [
      shown('acme/shared:b.yml@main', 'script: one'),
      shown('acme/shared:a.yml@main', 'script: same'),
      shown('acme/shared:c.yml@main', 'script: same'),
    ]
    expect(await sourcesOf(2)).toEqual([expected, expected])
  })
})

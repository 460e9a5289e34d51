import { beforeAll, expect, test } from 'vitest'
import type { Repository } from '../../../../src/domain/repository.ts'
import { createServer } from '../../../../src/http/server.ts'
import { testContext } from '../../../support/context.ts'
import { ownDatabase } from '../../../support/database.ts'
import { factories } from '../../../support/factories.ts'
import { caller } from '../../door.ts'
import { addressesIn, textIn } from '../reading.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))

let safe: Repository

const homePage = async (token?: string) => {
  const authorization = token === undefined ? {} : { authorization: `token ${token}` }
  return (await call('GET /', { accept: 'text/html', ...authorization })).body
}

beforeAll(async () => {
  const web = await make.repository({ name: 'web' })
  safe = await make.repository({ name: 'safe', private: true })
  for (const repository of [web, safe]) {
    await make.build({ repository, state: 'passed' })
    await make.build({ repository, state: 'started' })
    await make.build({ repository, state: 'created' })
  }
})

test('the home page lists running and waiting builds, with their commits', async () => {
  const html = await homePage()
  expect(textIn(html)).toMatch(
    /^Repositories Running and waiting Queue Running octavia\/web #2 \w{7} Say hello just now Waiting octavia\/web #3 \w{7} Say hello just now .*No builds octavia\/web/,
  )
  expect(addressesIn(html)).toContain('/octavia/web/builds/3')
  expect(html).not.toContain('safe')
})

test('builds of a private repository are shown only to users who can see it', async () => {
  const reader = await make.user('reader')
  await make.permission(reader, safe, 'pull')
  const html = await homePage(reader.token)
  expect(addressesIn(html)).toEqual(
    expect.arrayContaining(['/octavia/web/builds/3', '/octavia/safe/builds/6']),
  )
})

test('only the oldest of many builds are listed', async () => {
  const web = await db
    .selectFrom('repositories')
    .selectAll()
    .orderBy('id')
    .executeTakeFirstOrThrow()
  for (let count = 0; count < 20; count++) await make.build({ repository: web, state: 'created' })
  const html = await homePage()
  expect(textIn(html)).toContain('Only the 20 oldest are listed.')
  expect(addressesIn(html).filter((address) => address.includes('/builds/'))).toHaveLength(20)
})

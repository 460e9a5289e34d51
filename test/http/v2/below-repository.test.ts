// What has a path of its own below that of its repository.
import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { badIds, clientOf, fileMissing, makeRoles } from './roles.ts'

const db = await testDatabase()
const server = await createServer(testContext(db))

let call: ReturnType<typeof clientOf>
beforeEach(async () => {
  call = clientOf(server, await makeRoles(db))
})

describe.each([
  ['key', 'POST'],
  ['settings', 'PATCH'],
])('/repos/{id}/%s', (part, change) => {
  test.each(badIds)('is not found for the repository id %s', async (id) => {
    for (const method of ['GET', change]) {
      expect(await call('admin', `${method} /repos/${id}/${part}`)).toEqual(fileMissing)
    }
  })

  test('leaves the path /repos/{owner}/{name} to a repository of that name', async () => {
    await factories(db).repository({ owner_name: 'acme', name: part })
    expect(await call('other', `GET /repos/acme/${part}`)).toMatchObject([
      200,
      { repo: { slug: `acme/${part}` } },
    ])
  })
})

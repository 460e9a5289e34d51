import { beforeAll, expect, test } from 'vitest'
import type { Build } from '../../../src/domain/build.ts'
import type { User } from '../../../src/domain/owner.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = v3Client(await createServer(testContext(db)))

let repository: Repository
let pusher: User & { token: string }
let open: Build
let hidden: Build
beforeAll(async () => {
  repository = await make.repository()
  pusher = await make.user('pusher')
  await make.permission(pusher, repository, 'push')
  open = await make.build({ repository })
  hidden = await make.build({ repository, private: true })
})

const shown = (name: string, last_build_id: number | null, write = false) => ({
  '@type': 'tag',
  '@representation': 'minimal',
  '@permissions': { read: true, write },
  repository_id: repository.id,
  name,
  last_build_id,
})

/** A tag, as a public build of it shows it. */
async function tagShown(name: string, last: Build | null, query = '', caller = {}) {
  const { id: tag_id } = await make.tag(repository, name, last?.id ?? null)
  const { id } = await make.build({ repository, tag_id })
  const { status, body } = await call(`GET /build/${id}${query}`, caller)
  expect(status).toBe(200)
  return (body as { tag: unknown }).tag
}

test('a tag shows its last build, if there is one', async () => {
  expect(await tagShown('v1', open)).toEqual(shown('v1', open.id))
  expect(await tagShown('v2', null)).toEqual(shown('v2', null))
  expect(await tagShown('v3', open, '?include=build.tag')).toEqual({
    ...shown('v3', open.id),
    '@representation': 'standard',
  })
})

test('a tag hides a last build made in private from users who cannot see it', async () => {
  expect(await tagShown('v4', hidden)).toEqual(shown('v4', null))
  expect(await tagShown('v5', hidden, '', pusher)).toEqual(shown('v5', hidden.id, true))
})

import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { roles, type Role } from '../v2/roles.ts'
import {
  type BuildScene,
  buildWrites,
  denied,
  jobWrites,
  makeBuilds,
  missing,
  noJobWrites,
  noWrites,
} from './build-scene.ts'

const { db } = await ownDatabase()
const client = v3Client(await createServer(testContext(db)))

let scene: BuildScene
beforeAll(async () => {
  scene = await makeBuilds(db)
})

const call = (asked: string, who: Role = 'no one') => client(asked, { token: scene.tokens[who] })

describe.each([
  { type: 'build', hidden: 2, reads: noWrites, writes: buildWrites },
  { type: 'job', hidden: 3, reads: noJobWrites, writes: jobWrites },
])('GET /$type/{id}', ({ type, hidden, reads, writes }) => {
  test.each<[Role, object]>([
    ['admin', writes],
    ['pusher', writes],
    ['reader', reads],
    ['other', reads],
    ['no one', reads],
  ])('shows %s their permissions', async (who, permissions) => {
    const { status, body } = await call(`GET /${type}/1`, who)
    expect(status).toBe(200)
    expect((body as Record<string, unknown>)['@permissions']).toEqual(permissions)
  })

  test('hides a private record from users without a role, as if it were missing', async () => {
    const path = `GET /${type}/${hidden}`
    const answers = Object.fromEntries(
      await Promise.all(roles.map(async (who) => [who, (await call(path, who)).status] as const)),
    )
    expect(answers).toEqual({
      admin: 200,
      pusher: 200,
      reader: 200,
      other: 404,
      'no one': 404,
      wrong: 403,
    })
    expect(await call(path)).toEqual(missing(type))
    expect(await call(path, 'wrong')).toEqual(denied)
    expect(await call(`GET /${type}/9`)).toEqual(missing(type))
  })

  test.each(['0', '9223372036854775808', '99999999999999999999'])(
    'finds nothing by the id %s',
    async (id) => {
      expect(await call(`GET /${type}/${id}`)).toEqual(missing(type))
    },
  )

  test.each(['x', '1x', '-1', '%00', '1%2F2'])('is an unknown path with the id %s', async (id) => {
    expect(await call(`GET /${type}/${id}`)).toMatchObject({
      status: 404,
      body: { error_type: 'not_found', resource_type: null },
    })
  })
})

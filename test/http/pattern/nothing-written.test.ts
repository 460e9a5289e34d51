import { beforeEach, expect, test } from 'vitest'
import type { Viewer } from '../../../src/access/viewer.ts'
import { post } from '../../../src/http/core/endpoint.ts'
import { integer, list, text } from '../../../src/http/parameters/kinds.ts'
import { createServer } from '../../../src/http/server.ts'
import { v2 } from '../../../src/http/v2/mount.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { smallApi } from './small-api.ts'

let written: unknown[]
beforeEach(() => {
  written = []
})

const notes = post('/notes/:id', {
  type: 'note',
  accepts: { text: text(), limit: integer(), tags: list() },
  find: async ({ params }) =>
    ['1', '3'].includes(params.id ?? '') ? { id: Number(params.id) } : undefined,
  rights: (_viewer: Viewer, { id }: { id: number }) => ({ read: true, write: id === 1 }),
  right: 'write',
  async act(_call, _note, values) {
    written.push(values)
    return values
  },
  present: (values) => values,
})

const call = await smallApi(testContext(await testDatabase()), v2, [notes])
const json = { 'content-type': 'application/json' }

test.each<[string, Record<string, string>, string | undefined, number]>([
  ['POST /notes/1', { accept: 'image/png' }, undefined, 406],
  ['POST /notes/1?limit=x', {}, undefined, 400],
  ['POST /notes/1', json, '{"limit": "x"}', 400],
  ['POST /notes/1', json, '{"limit": 1', 400],
  ['POST /notes/1', json, '[1]', 400],
  ['POST /notes/2', { accept: 'image/png' }, undefined, 404],
  ['POST /notes/2', json, '{"limit": 1', 404],
  ['POST /notes/3', json, '{"limit": 1', 403],
])('%s %j %s is %d, and changes nothing', async (asked, headers, body, status) => {
  const answer = await call(asked, headers, body)
  expect([answer.statusCode, written]).toEqual([status, []])
})

test('a call whose response is acceptable is carried out', async () => {
  const body = '{"text": "b", "tags": ["x", "y,z", 3], "limit": 5}'
  const answer = await call('POST /notes/1?text=a&limit=9999', json, body)
  expect(answer.json()).toEqual({ text: 'b', limit: 5, tags: ['x', 'y', 'z', '3'] })
  expect(written).toEqual([{ text: 'b', limit: 5, tags: ['x', 'y', 'z', '3'] }])
})

test('a GET that changes something is checked first, like any other write', async () => {
  const db = await testDatabase()
  const { token } = await factories(db).user()
  const server = caller(await createServer(testContext(db)))
  const headers = { authorization: `token ${token}`, 'service-api-version': '3' }
  expect((await server('GET /logout?include=user.nope', headers)).statusCode).toBe(400)
  expect((await server('GET /user', headers)).statusCode).toBe(200)
})

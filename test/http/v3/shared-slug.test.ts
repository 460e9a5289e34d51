import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'

const { db } = await ownDatabase()
const call = v3Client(await createServer(testContext(db)))
const make = factories(db)

const at = { codehost: 0, local: 0, hidden: 0, seen: 0 }
let token: string

/** octavia/hello is at both code hosts, octavia/secret too, but of that the code host's is private. */
beforeAll(async () => {
  const twice = async (name: string, isPrivate: boolean) => {
    const codehost = await make.repository({ name, private: isPrivate })
    // It was updated last.
    const local = await make.repository({ name, provider: 'local' })
    return [codehost, local] as const
  }
  const [codehost, local] = await twice('hello', false)
  const [hidden, seen] = await twice('secret', true)
  Object.assign(at, { codehost: codehost.id, local: local.id, hidden: hidden.id, seen: seen.id })
  const user = await make.user()
  token = user.token
  await make.permission(user, hidden)
})

// All of these read the repository in a statement of their own.
const kinds = ['', '/branch/main']

describe.each(kinds)(
  'a slug that exists at two code hosts (docs/decisions/020): /repo/…%s',
  (rest) => {
    const found = async (path: string, given: { token?: string } = {}) => {
      const { body } = await call(`GET /repo/${path}${rest}`, given)
      const { id, repository } = body as { id?: number; repository?: { id: number } }
      return repository?.id ?? id
    }

    test('without a provider means the repository of the code host', async () => {
      expect(await found('octavia%2Fhello')).toBe(at.codehost)
    })

    test.each(['codehost', 'local'] as const)(
      'with the provider %s means the repository of that provider',
      async (provider) => {
        expect(await found(`${provider}/octavia%2Fhello`)).toBe(at[provider])
      },
    )

    test('means the repository that the viewer can see', async () => {
      const path = 'octavia%2Fsecret'
      expect(await found(path)).toBe(at.seen)
      expect(await found(path, { token })).toBe(at.hidden)
    })

    test('is missing at an unknown provider', async () => {
      expect(await call(`GET /repo/nowhere/octavia%2Fhello${rest}`)).toMatchObject({
        status: 404,
        body: { resource_type: 'repository' },
      })
    })
  },
)

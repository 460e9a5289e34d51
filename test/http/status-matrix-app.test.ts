// The rows of people, rights, keys and settings once more, where all of these come from a code host.
import { beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../support/database.ts'
import { appScene } from './app-scene.ts'
import { unlimited } from './door.ts'
import { headersOf, rowsOf, type StatusRow } from './endpoints.ts'
import { fillRepositories, privacies, statusOf, type Tokens } from './status-scene.ts'

const subjects =
  /\/(?:auth|accounts|users?|hooks|(?:access_)?tokens?|log(?:in|out)|profile|key(?:_pair)?|settings?|env_vars?|ssh_key|(?:un)?star|(?:de)?activate|active|repos|orgs?|owner|installation|preferences?|email_subscription)(?:[/?]|$)/

const isOfPeople = ({ asked }: StatusRow) => subjects.test(asked)

const { db } = await ownDatabase()
const { ctx, host, server, tokenOf, sync } = await appScene(db)
Object.assign(ctx, { rates: unlimited })

const tokens: Tokens = {}
const status = statusOf(db, server, tokens)

beforeAll(async () => {
  // They are user 1 and 2, although one of them sees nothing that the app is installed on.
  Object.assign(ctx.config, { allowedLogins: ['codehost:member', 'codehost:other'] })
  const octavia = host.addUser({ login: 'octavia' })
  // The rows name it and the organization's installation by these numbers.
  octavia.id = 1
  for (const [index, hidden] of privacies.entries()) {
    await host.addRepository({
      name: `r${index + 1}`,
      private: hidden.repository,
      collaborators: { member: 'admin' },
    })
  }
  host.addOrganization({ login: 'acme', members: { member: 'admin' } })
  const installation = await host.install('acme')
  installation.id = 1
  for (const login of ['member', 'other']) tokens[login] = await tokenOf(login)
  await sync()
  const repositories = await db.selectFrom('repositories').selectAll().orderBy('name').execute()
  await fillRepositories(db, repositories)
})

test('the records of the rows come from the code host', async () => {
  const found = await db
    .selectFrom('repositories')
    .innerJoin('permissions', 'permissions.repository_id', 'repositories.id')
    .select(['repositories.id', 'name', 'private', 'user_id', 'admin'])
    .orderBy('repositories.id')
    .execute()
  expect(found).toEqual(
    privacies.map((hidden, index) => ({
      ...{ id: index + 1, name: `r${index + 1}`, private: hidden.repository },
      ...{ user_id: 1, admin: true },
    })),
  )
})

describe.each(['v2', 'v3'] as const)('in %s of an app', (generation) => {
  const rows = rowsOf(generation).filter(isOfPeople)
  test.each(rows)('$asked is $expected for $who', async ({ asked, who, expected }) => {
    expect(await status(asked, who, headersOf[generation])).toBe(expected)
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Actions } from '../../../src/http/v3/endpoints.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { unlimited } from '../door.ts'
import { fillRepositories, privacies, statusOf, type Tokens } from '../status-scene.ts'
import { actions, expectByRole, roles } from './role-rows.ts'

const { db } = await ownDatabase()
const make = factories(db)
const server = await createServer({ ...testContext(db), rates: unlimited })
const tokens: Tokens = {}
const status = statusOf(db, server, tokens)

beforeAll(async () => {
  // The first one owns the features and notes that the scene makes.
  await make.user('first')
  const repositories = []
  for (const [index, hidden] of privacies.entries()) {
    const name = `r${index + 1}`
    repositories.push(await make.repository({ name, private: hidden.repository }))
  }
  await fillRepositories(db, repositories)
  for (const role of roles) {
    const user = await make.user(role)
    tokens[role] = user.token
    for (const repository of repositories) await make.permission(user, repository, role)
  }
})

test('every action below repositories has its row', () => {
  const below = v3Actions.filter(({ templates }) =>
    templates.some((each) => /^\/(?:repo|build|job|request|cron|notification)\//.test(each)),
  )
  const names = below.map(({ resource, name }) => `${resource}.${name}`)
  expect(actions.map(({ action }) => action).toSorted()).toEqual(names.toSorted())
})

describe.each(actions)('$action', (action) => {
  test.each(roles)(`needs ${action.lowest}: %s`, async (role) => {
    await expectByRole(status, action, { who: role, role })
  })
})

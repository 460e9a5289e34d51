import { expect, test } from 'vitest'
import { putOrganization } from '../../src/store/people/organizations.ts'
import { putUser, usersOfLogin } from '../../src/store/people/users.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
const provider = 'codehost'

test('a login that has passed to another user finds only that user', async () => {
  const later = await putUser(db, { provider, codehost_id: 2, login: 'bob' })
  const former = await putUser(db, { provider, codehost_id: 3, login: 'Alice' })
  const now = await putUser(db, { provider, codehost_id: 2, login: 'alice' })
  expect(now.id).toBe(later.id)
  expect(await usersOfLogin(db, 'ALICE')).toMatchObject([{ id: now.id }])
  const users = await db.selectFrom('users').select(['id', 'login']).orderBy('id').execute()
  expect(users).toEqual([
    { id: now.id, login: 'alice' },
    { id: former.id, login: `~${former.id}` },
  ])
  await putUser(db, { provider, codehost_id: 3, login: 'alice-2' })
  expect(await usersOfLogin(db, 'alice-2')).toMatchObject([{ id: former.id }])
})

test('an organization whose login has passed to another one gets a placeholder login', async () => {
  const former = await putOrganization(db, { provider, codehost_id: 5, login: 'acme' })
  await putOrganization(db, { provider, codehost_id: 6, login: 'acme' })
  const found = await db.selectFrom('organizations').select(['id', 'login']).orderBy('id').execute()
  expect(found.map(({ login }) => login)).toEqual([`~${former.id}`, 'acme'])
})

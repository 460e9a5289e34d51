import { describe, expect, test } from 'vitest'
import { type Example, exampleOf, openDoor } from '../bot/door.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const deliver = await openDoor(db, testContext(db))

/** A payload that has U+0000 and half of a surrogate pair in every text and key. */
function spoilt(value: unknown): unknown {
  if (typeof value === 'string') return `${value.slice(0, 3)}\u0000${value.slice(3)}`
  if (Array.isArray(value)) return value.map(spoilt)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]) => [key, spoilt(member)])
  return { ...Object.fromEntries(members), 'odd\u0000\ud800': '\udc00' }
}

function repositoryOf({ repository }: Example) {
  return repository && make.repository({ codehost_id: repository.id })
}

describe('texts that PostgreSQL cannot store', () => {
  test.each([
    ['push', undefined],
    ['pull_request', 'opened'],
    ['installation', 'created'],
    ['repository', 'renamed'],
    ['create', undefined],
    ['delete', undefined],
  ] as const)('are removed from an event when it arrives: %s %s', async (event, action) => {
    const example = exampleOf(event, action)
    await repositoryOf(example)
    const payload = spoilt(example) as object
    const delivery = await deliver(event, action === undefined ? payload : { ...payload, action })
    expect(delivery?.state).toBe('processed')
    expect(delivery?.outcome).not.toContain('error')
  })
})

test('are removed from the author, the message and the branch of a commit', async () => {
  const example = exampleOf('push')
  await repositoryOf(example)
  await deliver('push', spoilt({ ...example, ref: 'refs/heads/changes' }))
  const commit = db.selectFrom('commits').select(['author_name', 'message', 'branch'])
  expect(await commit.executeTakeFirst()).toEqual({
    author_name: 'Codertocat',
    branch: 'changes',
    message: 'Adding a .gitignore file',
  })
})

import { createRequire } from 'node:module'
import { Probot } from 'probot'
import { describe, expect, test } from 'vitest'
import { createReceiver } from '../../src/bot/receiver.ts'
import { testContext, testLog } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

interface Example {
  name: string
  examples: { action?: string; repository?: { id: number } }[]
}

const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as Example[]

const db = await testDatabase()
const make = factories(db)

function receiver() {
  const probot = new Probot({ githubToken: 'unused', log: testLog })
  const receive = createReceiver(testContext(db), probot)
  return async (event: string, payload: unknown) => {
    const { id } = await db
      .insertInto('deliveries')
      .values({ guid: `g-${Math.random()}`, provider: 'codehost', event })
      .returning('id')
      .executeTakeFirstOrThrow()
    return receive({ id, guid: `guid-${id}`, provider: 'codehost', event, payload })
  }
}

async function knows(payload: Example['examples'][number]): Promise<void> {
  const { repository } = payload
  if (repository) await make.repository({ codehost_id: repository.id })
}

describe('every example of the code host’s own', () => {
  const cases = examples.flatMap(({ name, examples: each }) =>
    each.map((payload, index) => ({ name, payload, index })),
  )

  test.each(cases)(
    '$name $payload.action ($index) is taken without failing',
    async ({ name, payload }) => {
      await knows(payload)
      const { outcome, failed } = await receiver()(name, payload)
      expect(outcome).not.toBe('')
      expect(failed).toBe(false)
    },
  )
})

describe('the effect of', () => {
  async function effectOf(name: string, action?: string) {
    const found = examples.find((each) => each.name === name)?.examples
    const payload = found?.find((each) => action === undefined || each.action === action)
    if (!payload) throw new Error(`there is no example of ${name} ${action}`)
    await knows(payload)
    const { outcome } = await receiver()(name, payload)
    const requests = await db.selectFrom('requests').select(['event_type', 'action']).execute()
    return { outcome, requests }
  }

  test('a push is a request, or a branch that is gone', async () => {
    const { outcome, requests } = await effectOf('push')
    expect(outcome).toMatch(/^made request 1$|was deleted$/)
    expect(requests.length).toBe(outcome.startsWith('made') ? 1 : 0)
  })

  test('an opened pull request is a request', async () => {
    const { requests } = await effectOf('pull_request', 'opened')
    expect(requests).toEqual([{ event_type: 'pull_request', action: 'opened' }])
  })

  test('a closed pull request is nothing but known', async () => {
    const { requests } = await effectOf('pull_request', 'closed')
    expect(requests).toEqual([])
    expect(await db.selectFrom('pull_requests').select('state').execute()).toEqual([
      { state: 'closed' },
    ])
  })

  test('a deleted branch is that it is gone', async () => {
    const { outcome } = await effectOf('delete')
    expect(outcome).toMatch(/ is gone$/)
  })

  test('what we do not act upon is nothing', async () => {
    const { outcome } = await effectOf('star', 'created')
    expect(outcome).toBe('star is not acted upon')
  })
})

test('an unknown repository is a failure, so that the delivery can be sent again', async () => {
  const push = examples.find(({ name }) => name === 'push')?.examples[0]
  expect(await receiver()('push', push)).toMatchObject({ failed: true })
})

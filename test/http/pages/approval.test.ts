import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import { receiveEvent } from '../../../src/flow/events/receive-event.ts'
import { acceptRequest } from '../../../src/flow/requests/accept-request.ts'
import { createServer } from '../../../src/http/server.ts'
import { type TestContext, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { pullOf } from '../../support/events.ts'
import { factories } from '../../support/factories.ts'
import { type MemoryCodehost, memoryCodehost, putPull } from '../../support/memory-codehost.ts'
import { hiddenIn, visitorOf, type Visitor } from '../login-scene.ts'
import { audited } from '../v2/roles.ts'
import { textIn } from './reading.ts'

const db = await testDatabase()
const make = factories(db)

const head = 'd'.repeat(40)
const page = '/octavia/hello/builds/1'
const form = `${page}/approve`

let codehost: MemoryCodehost
let ctx: TestContext
let repository: Repository
let anna: User & { token: string }
let browser: Visitor
let told: (sha: string, action: string) => Promise<void>

beforeEach(async () => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  repository = await make.repository({ name: 'hello' })
  anna = await make.user('anna')
  await make.permission(anna, repository, 'push')
  browser = visitorOf(await createServer(ctx))

  told = async (sha, action) => {
    putPull(codehost, { head: sha, merge: sha.replaceAll('d', 'e') })
    const at = { ...pullOf(repository).head, sha, repository_codehost_id: 4711 }
    const received = await receiveEvent(ctx, pullOf(repository, { action, head: at }))
    if ('request' in received) await acceptRequest(ctx, received.request.id)
  }
  await told(head, 'opened')
})

const logIn = (user: { token: string }) =>
  browser.submit('/login', '/auth/handshake', { codehost_token: user.token })

const waits = async () => {
  const builds = await db.selectFrom('builds').select('waits_for_approval').orderBy('id').execute()
  return builds.map(({ waits_for_approval }) => waits_for_approval)
}

describe('the form on the page of a build', () => {
  test('approves the commit after the maintainer has logged in', async () => {
    expect((await browser.get(page)).body).not.toContain('<form')
    await logIn(anna)
    const answer = await browser.submit(page, form)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, page])
    expect(await waits()).toEqual([false])
    expect(textIn((await browser.get(page)).body)).not.toContain('waits for approval')
    expect((await audited(db)).at(-1)).toMatchObject({
      actor: 'anna',
      action: 'approve',
      subject: 'request 1',
      changed: { pull_request: 7, sha: head },
    })
  })

  test('is hidden from users without push access, and refused if they send it', async () => {
    const stranger = await make.user('stranger')
    await logIn(stranger)
    const { body } = await browser.get(page)
    expect(body).not.toContain('<form')
    expect(textIn(body)).toContain('Anyone with push access can approve it')
    const { form_token = '' } = await formFields()
    expect((await browser.post(form, { form_token })).statusCode).toBe(403)
    expect(await waits()).toEqual([true])
  })

  test('is refused without the token of its page', async () => {
    await logIn(anna)
    for (const fields of [{}, { form_token: '' }, { form_token: 'x'.repeat(43) }]) {
      expect((await browser.post(form, fields)).statusCode).toBe(403)
    }
    expect(await waits()).toEqual([true])
  })

  test('approves nothing if the pull request has new commits since the page was shown', async () => {
    await logIn(anna)
    const { form_token = '' } = await formFields()
    await told('f'.repeat(40), 'synchronize')
    const answer = await browser.post(form, { form_token })
    expect(answer.statusCode).toBe(422)
    expect(textIn(answer.body)).toContain(
      'Nothing was changed. The pull request has new commits: review and approve the request for its ' +
        'latest commit.',
    )
    expect(await waits()).toEqual([true, true])
    expect(await db.selectFrom('approvals').selectAll().execute()).toEqual([])
  })

  test('finds its build under the new name of the repository', async () => {
    await logIn(anna)
    const { form_token = '' } = await formFields()
    const { owner, ...facts } = pullOf(repository).repository
    if (!owner) throw new Error('the event has no owner')
    const renamed = { ...facts, owner, name: 'renamed' }
    // Names are asked of the code host, whatever an event says.
    codehost.repository = async () => ({ ...renamed, archived: false })
    await receiveEvent(ctx, { ...pullOf(repository, { action: 'labeled' }), repository: renamed })
    const answer = await browser.post(form, { form_token })
    const moved = '/octavia/renamed/builds/1/approve'
    expect([answer.statusCode, answer.headers.location]).toEqual([307, moved])
    expect((await browser.post(moved, { form_token })).statusCode).toBe(303)
    expect(await waits()).toEqual([false])
  })
})

/** Every form of a session is sent with the same token. */
async function formFields(): Promise<Record<string, string>> {
  return hiddenIn((await browser.get('/profile')).body)
}

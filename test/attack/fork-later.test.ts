import { beforeEach, describe, expect, test } from 'vitest'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { createServer } from '../../src/http/server.ts'
import { foundIn, type Kind, secretsScene } from '../flow/secrets-scene.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pullOf, pushTo } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import { commitOf, type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'

// A pull request from a fork is approved, and its properties change afterwards: it must still get
// no secrets.

const db = await testDatabase()
const make = factories(db)
let codehost: MemoryCodehost
let ctx: TestContext
let server: Awaited<ReturnType<typeof createServer>>

beforeEach(async () => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  server = await createServer(ctx)
})

/** A private repository with every kind of secret, and an approved build of it. */
async function attacked(kind: Kind, settings = {}) {
  const scene = await secretsScene({ db, make, ctx, codehost }, server, { private: true })
  await scene.addVariable({ name: 'A', value: 'of-the-settings' })
  await scene.addVariable({ name: 'B', value: 'for-everyone', public: true })
  await scene.setKey()
  await scene.set(settings)
  const secure = await scene.encrypted('C=of-the-file')
  const job = await scene.build(`env:\n  - secure: "${secure}"\nscript: make`, kind)
  await db.updateTable('builds').set({ waits_for_approval: false }).execute()
  return { ...scene, ...job, found: async () => foundIn(await scene.programsOf(job.id)) }
}

type Attacked = Awaited<ReturnType<typeof attacked>>

test('a pull request from the repository itself gets all secrets of the scene', async () => {
  const { found } = await attacked('pull')
  expect(await found()).toEqual(['file', 'settings', 'public', 'key'])
})

test.each<Kind>(['fork', 'fork that is gone', 'fork with the name of its origin'])(
  'a %s gets no secrets',
  async (kind) => {
    const { found } = await attacked(kind)
    expect(await found()).toEqual(['public'])
  },
)

describe('a fork gets no secrets after', () => {
  /** An event of the pull request, whose head is the same. */
  async function pullAs({ repository }: Attacked, given: object) {
    const { head_commit } = await db
      .selectFrom('requests')
      .select('head_commit')
      .executeTakeFirstOrThrow()
    const head = { ...pullOf(repository).head, sha: head_commit ?? '' }
    return receiveEvent(ctx, pullOf(repository, { number: 1, head, ...given }))
  }

  test.each<[string, (scene: Attacked) => Promise<unknown>]>([
    ['no event at all', async () => {}],
    [
      'its pull request was closed',
      (scene) => pullAs(scene, { action: 'closed', state: 'closed' }),
    ],
    [
      'a later event reports the repository itself as its source',
      (scene) => pullAs(scene, { action: 'edited' }),
    ],
    [
      'the repository was renamed',
      async ({ repository }) =>
        receiveEvent(ctx, pushTo({ ...repository, name: 'renamed' }, { after: 'a'.repeat(40) })),
    ],
    ['its pull request was deleted here', async () => db.deleteFrom('pull_requests').execute()],
  ])('%s, not even in a restart', async (_, happens) => {
    const scene = await attacked('fork')
    expect(await scene.found()).toEqual(['public'])
    await happens(scene)
    await scene.call(`POST /jobs/${scene.id}/restart`, {})
    expect(await scene.found()).toEqual(['public'])
    await scene.call(`POST /builds/${scene.build_id}/restart`, {})
    expect(await scene.found()).toEqual(['public'])
  })

  test('the settings no longer share secrets', async () => {
    const shared = { share_encrypted_env_with_forks: true, share_ssh_keys_with_forks: true }
    const scene = await attacked('fork', shared)
    expect(await scene.found()).toEqual(['file', 'settings', 'public', 'key'])
    await scene.set({ share_encrypted_env_with_forks: false, share_ssh_keys_with_forks: false })
    expect(await scene.found()).toEqual(['public'])
  })

  test('the repository became public, which stops sharing keys', async () => {
    const scene = await attacked('fork', { share_ssh_keys_with_forks: true })
    expect(await scene.found()).toEqual(['public', 'key'])
    const event = pushTo({ ...scene.repository, private: false }, { after: 'a'.repeat(40) })
    // An event alone does not count.
    await receiveEvent(ctx, event)
    expect(await scene.found()).toEqual(['public', 'key'])
    const { owner, ...facts } = event.repository
    if (!owner) throw new Error('the event has no owner')
    codehost.repository = async () => ({ ...facts, owner, archived: false })
    await receiveEvent(ctx, pushTo({ ...scene.repository, private: false }))
    expect(await scene.found()).toEqual(['public'])
  })
})

test('a repository with a new owner no longer gets secrets that its former owner encrypted in other repositories', async () => {
  const surroundings = { db, make, ctx, codehost }
  const shared = await secretsScene(surroundings, server, { name: 'shared' })
  const scene = await secretsScene(surroundings, server, { name: 'hello' })
  const secure = await shared.encrypted('TOKEN=of-the-file')
  const sha = 'a'.repeat(40)
  codehost.commits.set('main', commitOf(sha, 'Share'))
  const file = `env:\n  global:\n    - secure: "${secure}"\n`
  codehost.files.set(`octavia/shared:env.yml@${sha}`, file)
  const { id } = await scene.build('import: octavia/shared:env.yml\nscript: make', 'push')
  expect(foundIn(await scene.programsOf(id))).toEqual(['file'])

  const stranger = await make.user('stranger')
  await db
    .updateTable('repositories')
    .set({ owner_id: stranger.id, owner_type: 'User', owner_name: 'stranger' })
    .where('id', '=', scene.repository.id)
    .execute()
  await scene.call(`POST /jobs/${id}/restart`, {})
  expect(foundIn(await scene.programsOf(id))).toEqual([])
})

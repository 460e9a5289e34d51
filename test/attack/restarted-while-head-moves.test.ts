import { expect, test } from 'vitest'
import { cancelBuild } from '../../src/flow/builds/cancel-build.ts'
import { restartInBuild } from '../../src/flow/builds/restart-in-build.ts'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { approveRequest } from '../../src/flow/requests/approve-request.ts'
import { transact } from '../../src/flow/transact.ts'
import { lockBuild } from '../../src/store/builds/builds.ts'
import { jobsOfBuild } from '../../src/store/jobs/jobs.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pullOf } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { memoryCodehost, putPull } from '../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)

test('a superseded head does not run under its approval, even while it is being restarted', async () => {
  const codehost = memoryCodehost()
  const ctx = testContext(db, { codehost })
  const repository = await make.repository({ name: 'hello' })
  const anna = await make.user('anna')
  await make.permission(anna, repository, 'push')
  const by = { user: anna, token_id: null, address: '127.0.0.1' }
  const told = async (sha: string, action: string) => {
    putPull(codehost, { head: sha, merge: sha.replaceAll('d', 'e') })
    const head = { ...pullOf(repository).head, sha, repository_codehost_id: 4711 }
    return receiveEvent(ctx, pullOf(repository, { action, head }))
  }
  const opened = await told('d'.repeat(40), 'opened')
  if (!('request' in opened)) throw new Error(JSON.stringify(opened))
  await acceptRequest(ctx, opened.request.id)
  const { id } = await db.selectFrom('builds').select('id').executeTakeFirstOrThrow()
  await cancelBuild(ctx, by, id)
  await approveRequest(ctx, by, opened.request.id)
  let moved: Promise<unknown> | undefined
  await transact(ctx, async (tx) => {
    const build = await lockBuild(tx.db, id)
    if (!build) throw new Error('the build is gone')
    await restartInBuild(tx, build, await jobsOfBuild(tx.db, id), by)
    // The new head comes before the restart is committed: its event waits for this transaction.
    moved = told(`${'d'.repeat(39)}1`, 'synchronize')
    await lockWaits(db)
  })
  await moved
  const jobs = await db.selectFrom('jobs').select('state').where('build_id', '=', id).execute()
  expect(jobs.map((job) => job.state)).toEqual(['canceled'])
  expect(await db.selectFrom('builds').select('state').where('id', '=', id).execute()).toEqual([
    { state: 'canceled' },
  ])
})

import { beforeEach, describe, expect, test } from 'vitest'
import type { JobRun } from '../../src/domain/failure/job-run.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { findOutside } from '../../src/flow/failures/find-outside.ts'
import { removeLogs } from '../../src/store/jobs/logs.ts'
import { json } from '../../src/store/tables.ts'
import { noon } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { addRun, runInputs } from '../support/job-runs.ts'

const db = await testDatabase()
const make = factories(db)

let repository: Repository
beforeEach(async () => {
  repository = await make.repository()
})

const later = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)

/** A job with a log and a run. */
async function ran(state: 'passed' | 'failed', given: Partial<JobRun> = {}) {
  const job = await make.job({ build: await make.build({ repository, state }), state })
  await make.log(job, 'hello\n')
  await addRun(db, job, given)
  return job
}

const versions = (compiler: string) => ({ ...runInputs, versions: { 'gcc --version': compiler } })

/** What a run that ends now differs in from earlier ones. */
const outsideOf = (run: JobRun) =>
  findOutside(db, { ...run, number: '9.1', default_branch: 'main' })

async function storedRun(id: number, attempt = 1): Promise<JobRun> {
  return db
    .selectFrom('job_runs')
    .selectAll()
    .where('job_id', '=', id)
    .where('attempt', '=', attempt)
    .executeTakeFirstOrThrow()
}

describe('a log that is removed', () => {
  test('leaves no version in its run, nor in the runs that were compared with it', async () => {
    const green = await ran('passed', { inputs: versions('gcc secret-1') })
    const red = await ran('failed', { inputs: versions('gcc 2'), ended_at: later(1) })
    const outside = await outsideOf(await storedRun(red.id))
    expect(outside?.changes).toMatchObject([{ before: 'gcc secret-1', after: 'gcc 2' }])
    await db
      .updateTable('job_runs')
      .set({ outside: outside && json(outside) })
      .where('job_id', '=', red.id)
      .execute()

    await removeLogs(db, [green.id], { removed_at: noon, text: 'removed' })
    const rows = await db.selectFrom('job_runs').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('secret-1')
    expect(await storedRun(red.id)).toMatchObject({ outside: null, inputs: versions('gcc 2') })
    // Nor does it come back with a later run.
    expect(JSON.stringify(await outsideOf(await storedRun(red.id)))).not.toContain('secret-1')
  })

  test('leaves none in a later run whose first failure it was', async () => {
    await ran('passed', { inputs: versions('gcc 1') })
    const first = await ran('failed', { inputs: versions('gcc secret-2'), ended_at: later(1) })
    const second = await ran('failed', { inputs: versions('gcc 3'), ended_at: later(2) })
    const outside = await outsideOf(await storedRun(second.id))
    expect(outside?.to.job_id).toBe(first.id)
    await db
      .updateTable('job_runs')
      .set({ outside: outside && json(outside) })
      .where('job_id', '=', second.id)
      .execute()
    await removeLogs(db, [first.id], { removed_at: noon, text: 'removed' })
    expect(await storedRun(second.id)).toMatchObject({ outside: null })
  })

  test('proves nothing any more, since its versions may have been others', async () => {
    const { id } = await ran('passed', { inputs: versions('gcc 1') })
    await removeLogs(db, [id], { removed_at: noon, text: 'removed' })
    expect(await storedRun(id)).toMatchObject({ by_itself: false, inputs: runInputs })
  })
})

describe('an attempt that passed', () => {
  test('is compared with the last one that ended by itself', async () => {
    const job = await ran('passed', { attempt: 4 })
    await addRun(db, job, { attempt: 1, state: 'failed', inputs: versions('gcc 1') })
    // The second was canceled, so it has no run; the third was ended by the service.
    await addRun(db, job, { attempt: 3, state: 'failed', by_itself: false })
    const outside = await outsideOf({ ...(await storedRun(job.id, 4)), inputs: versions('gcc 2') })
    expect(outside).toMatchObject({
      ...{ result: 'passed', from: { attempt: 1 }, to: { attempt: 4 } },
      changes: [{ before: 'gcc 1', after: 'gcc 2' }],
    })
  })

  test('is compared with none where the last one that ended by itself passed', async () => {
    const job = await ran('passed', { attempt: 3 })
    await addRun(db, job, { attempt: 1, state: 'failed' })
    await addRun(db, job, { attempt: 2, state: 'passed' })
    expect(await outsideOf(await storedRun(job.id, 3))).toBeNull()
  })
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isReady } from '../../src/domain/readiness.ts'
import { noteProblem } from '../../src/flow/upkeep/sweep.ts'
import { readiness } from '../../src/service/readiness.ts'
import { registerRunner } from '../../src/store/jobs/runners.ts'
import { testContext, testLog } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
const { objects } = testContext(db)

test('a service whose only runner is paused is not ready until the runner can start jobs again', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'readiness-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const parts = async () => {
    const waiting = async () => ({}) as never
    return readiness({ db, log: testLog, queues: { waiting }, config: { dataDir }, objects })
  }

  expect((await parts())['runners']).toEqual({ ok: false, says: '0 of 0 can start jobs' })
  await registerRunner(db, {
    ...{ id: 'one', isolation: 'sandbox', version: '1', os: 'linux', arch: 'amd64' },
    ...{ host: 'machine', executor: 'process', slots: 1 },
  })
  expect(isReady(await parts())).toBe(true)

  await noteProblem(testContext(db), 'one', 'the disk is full')
  expect((await parts())['runners']).toEqual({ ok: false, says: '0 of 1 can start jobs' })
  expect(isReady(await parts())).toBe(false)

  await noteProblem(testContext(db), 'one', null)
  expect((await parts())['runners']).toEqual({ ok: true, says: '1 of 1 can start jobs' })
})

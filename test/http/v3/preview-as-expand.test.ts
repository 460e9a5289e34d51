import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { installedLinter } from '../../support/linter.ts'
import { commitOf, type MemoryCodehost, memoryCodehost } from '../../support/memory-codehost.ts'
import { callerOf } from './roles.ts'

const linter = installedLinter()
const db = await testDatabase()
const codehosts: { codehost?: MemoryCodehost } = {}
const server = await createServer(testContext(db, codehosts))

let call: Awaited<ReturnType<typeof callerOf>>
beforeEach(async () => {
  call = await callerOf(server, db)
})

const folder = path.resolve(import.meta.dirname, '../../buildfile/sample')
const tip = 'a'.repeat(40)

/** A job as both show it. */
interface Job {
  number: number
  name: string | null
  stage: string | null
  stage_number: string | null
  origin: object
}

interface Preview {
  job_configs: (Job & { allow_failure: boolean })[]
  dropped_jobs: object[]
}

interface Expanded {
  jobs: (Job & { allowed_to_fail: object | null })[]
  dropped: Record<'name' | 'stage' | 'origin' | 'why', unknown>[]
}

const whatOf = ({ number, name, stage, stage_number, origin }: Job): Job => ({
  number,
  name,
  stage,
  stage_number,
  origin,
})

// Between them they have matrices, stages, included and allowed jobs, and jobs that are left out.
test.each([
  'conditions-on-jobs.yml',
  'conditions-first-version.yml',
  'env-forms.yml',
  'go-service-env-matrix.yml',
  'objective-c-simulators.yml',
  'python-library-stages.yml',
  'rust-cross-os.yml',
  'stages-and-names.yml',
])('a preview of %s has the jobs that `build-service expand` shows', async (name) => {
  const text = readFileSync(path.join(folder, name), 'utf8')
  const codehost = memoryCodehost()
  codehosts.codehost = codehost
  codehost.commits.set('refs/heads/main', commitOf(tip, 'Say hello'))
  codehost.files.set(tip, text)

  const event = ['--event=api', '--branch=main', '--repo=acme/web', '--sender=pusher']
  const options = ['expand', '--json', ...event, '--commit-message=Say hello', '-']
  const { stdout } = await linter.run(options, { input: text })
  const expanded = JSON.parse(stdout) as Expanded
  const [status, body] = await call('pusher', 'POST /repo/1/request/preview')
  expect(status).toBe(200)
  const preview = body as Preview

  expect(expanded.jobs.length).toBeGreaterThan(0)
  expect(preview.job_configs.map(whatOf)).toEqual(expanded.jobs.map(whatOf))
  expect(preview.job_configs.map(({ allow_failure }) => allow_failure)).toEqual(
    expanded.jobs.map(({ allowed_to_fail }) => allowed_to_fail !== null),
  )
  expect(preview.dropped_jobs).toEqual(
    expanded.dropped.map(({ name, stage, origin, why }) => ({ name, stage, origin, why })),
  )
})

import { expect, test } from 'vitest'
import { changesBetween, type RunInputs } from '../../src/domain/failure/outside.ts'
import { readLog } from '../../src/failure/read-log.ts'
import { knownInputs } from '../../src/flow/failures/run-inputs.ts'
import { readJobSecrets } from '../../src/flow/secrets/job-secrets.ts'
import { findCommit } from '../../src/store/commits/commits.ts'
import { findJobToRun } from '../../src/store/jobs/jobs-to-run.ts'
import { storeRawConfigs } from '../../src/store/requests/raw-configs.ts'
import { json } from '../../src/store/tables.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { addOwnerVariable } from '../support/owner-variable.ts'
import { recordedLog } from '../support/recorded-log.ts'

const db = await testDatabase()
const ctx = testContext(db)
const make = factories(db)

test('more than five hundred pairs of runs without a change report none', async () => {
  const repository = await make.repository()
  for (const name of ['ONE', 'TWO', 'THREE']) await addOwnerVariable(db, repository, { name })
  const logs = [recordedLog('node-test', 'green-1'), recordedLog('node-test', 'green-2')]
  const runs: RunInputs[] = []
  for (let count = 0; count < 33; count += 1) {
    const build = await make.build({ repository })
    const commit = await findCommit(db, build.commit_id)
    const config = json({ language: 'node_js', script: ['npm test'] })
    const { id } = await make.job({ build, config })
    await storeRawConfigs(db, { id: build.request_id, repository_id: repository.id }, [
      imported('octavia/hello', '.service.yml', commit?.sha ?? '', `# ${count}`),
      imported('octavia/shared', 'ci.yml', String(count).padStart(40, '0'), 'env: A=b'),
    ])
    const toRun = await findJobToRun(db, id)
    if (!toRun) throw new Error('the job is lost')
    const known = await knownInputs(ctx, toRun, await readJobSecrets(ctx, toRun), 'one')
    runs.push({ ...known, versions: readLog(logs[count % 2] ?? '').versions })
  }
  expect(runs[0]).toMatchObject({
    variables: { ONE: expect.any(String), TWO: expect.any(String), THREE: expect.any(String) },
    imports: { 'octavia/shared:ci.yml': expect.any(String) },
    versions: { Kernel: 'Linux 6.1.0' },
  })
  const pairs = runs.flatMap((before, at) => runs.slice(at + 1).map((after) => [before, after]))
  expect(pairs.length).toBeGreaterThan(500)
  const named = pairs.flatMap(([before, after]) =>
    before && after ? changesBetween(before, after, true) : [],
  )
  expect(named).toEqual([])
})

const imported = (slug: string, file: string, sha: string, text: string) => ({
  source: `${slug}:${file}@${sha}`,
  sha,
  text,
  merge_mode: null,
})

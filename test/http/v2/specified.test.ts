import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { putBranch, setLastBuildOfBranch } from '../../../src/store/repositories/branches.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { variableOf } from '../endpoints/keep.ts'
import { keepSecrets } from '../status-scene.ts'
import { noLogin } from './roles.ts'
import { type Named, usesIn, ways } from './specified-rows.ts'

const db = await testDatabase()
const call = caller(await createServer(testContext(db)))

const named: Named = {
  'repository.id': 1,
  '+repository.slug': 'acme/web',
  'build.id': 1,
  'running build.id': 2,
  'job.id': 1,
  'running job.id': 2,
  'log.id': 1,
  'request.id': 1,
  'hook.id': 1,
  'ssh_key.id': 1,
  'env_var.id': variableOf(1),
  branch: 'main',
}

const { use, expectOutput } = usesIn({ call, named })

// Build 1 has passed, build 2 runs; both are of a public repository.
beforeEach(async () => {
  const make = factories(db)
  const admin = await make.user('admin')
  named['user.id'] = admin.id
  named.token = admin.token
  named.codehost_token = admin.token
  const repository = await make.repository({ owner_name: 'acme', name: 'web' })
  await make.permission(admin, repository, 'admin')
  const { id } = await putBranch(db, repository.id, 'main')
  const passed = await make.build({ repository, branch_id: id, state: 'passed' })
  await make.log(await make.job({ build: passed, state: 'passed', started_at: noon }), 'hello\n')
  await make.job({ build: await make.build({ repository, state: 'started' }), state: 'started' })
  await setLastBuildOfBranch(db, id, passed.id, null)
  await keepSecrets(db, repository.id)
})

describe('V2.1 as specified', () => {
  test.each(ways)('$title', (way) => expectOutput(way, true))
})

describe('without a token', () => {
  test.each(ways.filter(({ auth }) => auth))('$title is refused', async (way) => {
    const { statusCode, body } = await use(way, false)
    expect([statusCode, body]).toEqual(noLogin)
  })

  test.each(ways.filter(({ auth }) => !auth))('$title gets a response', (way) =>
    expectOutput(way, false),
  )
})

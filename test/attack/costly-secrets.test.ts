import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { compileScript } from '../../src/script/compile.ts'
import { caller } from '../http/door.ts'
import { runProgram, scriptInput } from '../script/program.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

// Each byte of a secret value is searched for in the log of each job, so users with push access
// could fill the memory of the runner, which can be the memory of the service.

const { db } = await ownDatabase()
const make = factories(db)
const send = caller(await createServer(testContext(db)))

let token = ''
let holder: { owner_id: number; repository_id: number }
beforeAll(async () => {
  const user = await make.user('pusher')
  const repository = await make.repository({ name: 'web' })
  await make.permission(user, repository, 'push')
  token = user.token
  holder = { owner_id: user.id, repository_id: repository.id }
})

beforeEach(async () => {
  await db.deleteFrom('env_vars').execute()
})

async function call(version: '2.1' | '3', asked: string, body: object) {
  const accept = version === '3' ? { 'service-api-version': '3' } : {}
  const headers = { ...accept, authorization: `token ${token}`, 'content-type': 'application/json' }
  const { statusCode, body: text } = await send(asked, headers, JSON.stringify(body))
  return [statusCode, text] as const
}

/** The endpoints that add variables, for a repository and for an owner. */
const doors = () =>
  [
    ['2.1', `POST /settings/env_vars?repository_id=${holder.repository_id}`],
    ['3', `POST /repo/${holder.repository_id}/env_vars`],
    ['3', `POST /user/${holder.owner_id}/account_env_vars`],
  ] as const

const bodyOf = (version: '2.1' | '3', members: object) =>
  version === '3' ? members : { env_var: members }

/** A value of this many bytes, in characters of two bytes. */
const valueOf = (bytes: number) => 'ü'.repeat(Math.floor(bytes / 2)) + 'x'.repeat(bytes % 2)

test('a value has at most 49,152 bytes, whichever endpoint sets it', async () => {
  for (const [version, post] of doors()) {
    await db.deleteFrom('env_vars').execute()
    const add = (name: string, bytes: number) =>
      call(version, post, bodyOf(version, { name, value: valueOf(bytes) }))
    expect(await add('A', 49_153)).toEqual([
      422,
      expect.stringContaining('must have at most 49,152 bytes'),
    ])
    const [status, text] = await add('A', 49_152)
    expect(status).toBe(version === '3' ? 201 : 200)
    const added = JSON.parse(text) as { id: string; env_var: { id: string } }
    const patch =
      version === '3'
        ? `${post.replace('POST', 'PATCH').replace(/s$/, '')}/${added.id}`
        : `PATCH /settings/env_vars/${added.env_var.id}`
    const change = bodyOf(version, { value: valueOf(49_153) })
    expect(await call(version, patch, change)).toEqual([
      422,
      expect.stringContaining('must have at most 49,152 bytes'),
    ])
  }
})

test('a repository and an owner have at most 500 variables', async () => {
  const { owner_id, repository_id } = holder
  const rows = (of: object) =>
    Array.from({ length: 499 }, (_, index) => ({
      id: randomUUID(),
      name: `V${index}`,
      sealed_value: 'x',
      public: true,
      branch: null,
      ...of,
    }))
  await db.insertInto('env_vars').values(rows({ repository_id })).execute()
  await db
    .insertInto('env_vars')
    .values(rows({ repository_id: null, owner_type: 'User', owner_id }))
    .execute()
  const full = 'has 500 variables, which is the most: remove one of them first'
  const answers = []
  for (const [version, post] of doors()) {
    for (const letter of ['A', 'B']) {
      const name = `${letter}_${version.at(0)}`
      const [status, text] = await call(version, post, bodyOf(version, { name, value: 'x' }))
      answers.push([status, text.includes(full)])
    }
  }
  const refused = [422, true]
  expect(answers).toEqual([[200, false], refused, refused, refused, [201, false], refused])
})

test('a job with too many bytes of secrets is not run, and its log suggests a fix', async () => {
  const variables = Array.from({ length: 6 }, (_, index) => ({
    name: `V${index}`,
    value: `${index}`.repeat(49_152),
    of: 'repository' as const,
    public: false,
  }))
  const given = { variables, config: { script: 'echo it ran' } }
  const programs = compileScript(scriptInput(given))
  expect(programs.secrets).toEqual([])
  for (const program of [programs.clone, programs.job]) {
    expect(program).not.toContain('11111111')
    const { code, text } = await runProgram(program)
    expect(code).toBe(2)
    expect(text).toBe(
      'The job is not run: its secret values have 294,912 bytes, and at most 262,144 can be masked in a log. ' +
        'Make variables of the settings of the repository or its owner shorter or public, limit them to the ' +
        'branches that need them, or fetch long ones in the job.\n',
    )
  }
  const fewer = compileScript(scriptInput({ ...given, variables: variables.slice(1) }))
  expect(fewer.secrets).toHaveLength(5)
})

test('encrypted values in the build file count as well', () => {
  const decrypt = (value: string) => value.slice(0, 49_152)
  const env = Array.from({ length: 3 }, (_, index) => ({
    secure: `A=${index}`.padEnd(49_152, 'x'),
  }))
  const sauce_connect = Array.from({ length: 3 }, (_, index) => ({
    secure: `${index}`.padEnd(49_152, 'y'),
  }))
  const { job } = compileScript(
    scriptInput({ decrypt, config: { env, addons: { sauce_connect } } }),
  )
  expect(job).toContain('its secret values have 294,912 bytes')
})

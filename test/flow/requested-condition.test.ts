// A configuration in an API request is named as such, and never as a line of the build file.
import { beforeEach, expect, test } from 'vitest'
import { requestFacts, requestLines } from '../../src/cli/request-facts.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { createServer } from '../../src/http/server.ts'
import { findRequest } from '../../src/store/requests/requests.ts'
import { callerOf } from '../http/v3/roles.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { commitOf, type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'
import { writtenStreams } from '../support/written-streams.ts'

const db = await testDatabase()
const codehosts: { codehost?: MemoryCodehost } = {}
const ctx = testContext(db, codehosts)
const server = await createServer(ctx)
const tip = 'a'.repeat(40)

let call: Awaited<ReturnType<typeof callerOf>>
let codehost: MemoryCodehost
beforeEach(async () => {
  call = await callerOf(server, db)
  codehost = memoryCodehost()
  codehosts.codehost = codehost
  codehost.commits.set('refs/heads/main', commitOf(tip, 'Say hello'))
  codehost.commits.set(tip, commitOf(tip, 'Say hello'))
  codehost.files.set(tip, 'script: make\nif: branch = main\n')
})

/** Requests a build with a configuration, and decides on it. Returns the message, the deciding check and the check run. */
async function request(body: object, file?: string) {
  if (file !== undefined) codehost.files.set(tip, file)
  expect(await call('pusher', 'POST /repo/1/requests', body)).toMatchObject([202, {}])
  await acceptRequest(ctx, 1)
  for (const stream of await writtenStreams(db)) {
    await publishOutbox(ctx, stream)
  }
  const found = await findRequest(db, 1)
  if (!found) throw new Error('there is no request')
  const [run] = codehost.runs
  const { conclusion, title, summary, annotations } = run ?? {}
  const lines = requestLines(await requestFacts(db, found, 'https://ci.example.org'))
  return {
    message: found.message,
    source: found.checks.at(-1)?.source,
    line: lines.find((each) => each.startsWith('  ✗')),
    run: { conclusion, title, summary, annotations },
  }
}

const here = 'in the configuration of the request'

test('the reason and the check name the request if its condition is false', async () => {
  const config = 'language: ruby\nos: linux\nif: branch = next\n'
  expect(await request({ config })).toEqual({
    message: `condition did not match: branch = next (${here}): branch was "main"`,
    source: { file: 'api', line: 3 },
    line: '  ✗ The condition of the build file does not hold (the configuration of the request, line 3)',
    run: {
      conclusion: 'skipped',
      title: `No build: condition did not match: branch = next (${here}): branch was "main"`,
      summary: expect.stringContaining(
        '- **info** the configuration of the request this is left out, because its condition "branch = ' +
          'next" does not hold: branch was "main"',
      ),
      annotations: [],
    },
  })
})

test('the check names the request if its condition cannot be read', async () => {
  const { message, run } = await request({ config: 'if: branch =' })
  expect(message).toBe(
    `condition cannot be evaluated and counts as false: branch = (${here}): a variable, a call or a ` +
      'value is missing at the end',
  )
  expect(run).toMatchObject({
    conclusion: 'failure',
    title: 'The condition (if) of the request cannot be read, which counts as false',
    annotations: [],
  })
  expect(run.summary).toMatch(/^the configuration of the request, line 1: a variable, a call/)
  expect(run.summary).not.toContain('.service.yml')
})

test('the check names which configuration of the request has the condition', async () => {
  const configs = [{ config: 'script: a' }, { config: 'if: type = tag' }]
  const { message, run } = await request({ configs })
  expect(message).toContain('(in configuration 2 of the request)')
  expect(run).toMatchObject({
    conclusion: 'failure',
    title: 'The condition (if) of the request can never hold',
    annotations: [],
  })
  expect(run.summary).toMatch(/^configuration 2 of the request, line 1: /)
})

test('a condition in the file is still named with its line', async () => {
  const { message, run } = await request({ config: 'script: own' }, 'script: a\nif: branch =\n')
  expect(message).toContain('branch = (line 2): ')
  expect(run).toMatchObject({
    title: 'The condition (if) cannot be read, which counts as false',
    annotations: [{ path: '.service.yml', start_line: 2 }],
  })
})

test('a condition in an imported file is named with that file', async () => {
  codehost.files.set(`acme/web:ci/a.yml@${tip}`, 'language: ruby\nif: branch = next\n')
  const { message, source, run } = await request({}, 'import: ci/a.yml\nscript: make\n')
  expect(message).toContain('branch = next (in ci/a.yml, line 2): ')
  expect(source).toEqual({ file: 'ci/a.yml', line: 2 })
  expect(run.annotations).toEqual([])
})

test('the reason names the request if its branches decide', async () => {
  const { message } = await request({ config: 'branches:\n  only: next\n' })
  expect(message).toBe(
    `branch not included: main matches no entry of branches.only (${here}): next`,
  )
})

test('the reason names the request if the conditions of its jobs exclude all jobs', async () => {
  const include = [{ script: 'a', name: 'Late', if: 'branch = next' }]
  const { message } = await request({ config: { jobs: { include } }, merge_mode: 'replace' })
  expect(message).toContain(`"Late": its condition branch = next (${here}) does not hold`)
})

test('the check names the request as the source of a configuration that is not a mapping', async () => {
  const { run } = await request({ config: '- script: make\n' })
  expect(run).toMatchObject({
    conclusion: 'failure',
    title: 'The configuration of the request cannot be used',
    annotations: [],
  })
  expect(run.summary).toContain('the configuration of the request, line 1')
})

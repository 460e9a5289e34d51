import { beforeAll, describe, expect, test } from 'vitest'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { openDoor } from '../bot/door.ts'
import { command, scratchFolder } from '../support/command.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const tip = 'c'.repeat(40)

/**
 * Four webhooks, received one after the other: a push that is built, the same push again, and two
 * that build nothing.
 */
beforeAll(async () => {
  const codehost = memoryCodehost()
  codehost.files.set(tip, 'script: make')
  const ctx = testContext(db, { codehost })
  const deliver = await openDoor(db, ctx)
  const { codehost_id } = await factories(db).repository({ name: 'hello' })

  await deliver('push', push(codehost_id, {}))
  await acceptRequest(ctx, 1)
  // Both a hook and the app report the push, with different bodies.
  await deliver('push', push(codehost_id, { hook: true }))
  await deliver('push', push(codehost_id, { deleted: true, head_commit: null }))
  await deliver('push', push(4711, { compare: 'https://host.example/\u001B[31mred' }))
})

function push(id: number, given: object) {
  return {
    ref: 'refs/heads/main',
    before: 'b'.repeat(40),
    after: tip,
    deleted: false,
    compare: 'https://host.example/a...b',
    head_commit: {
      ...{ id: tip, message: 'The message of the commit', timestamp: '2026-01-02T12:00:00Z' },
      ...{ author: { name: 'Octavia' }, committer: { name: 'Octavia' } },
    },
    repository: {
      ...{ id, name: 'hello', private: false, fork: false, default_branch: 'main' },
      owner: { id: 1, login: 'octavia', type: 'User' },
    },
    sender: { id: 1, login: 'octavia', type: 'User' },
    ...given,
  }
}

function deliveries(...args: string[]) {
  const env = {
    ...{ DATA_DIR: scratchFolder(), DATABASE_URL: urlOf(connection) },
    ...{ MASTER_KEY: 'a'.repeat(64), PUBLIC_URL: 'https://ci.example.org' },
  }
  return command(['deliveries', ...args], { env })
}

const guids = (stdout: string) => [...stdout.matchAll(/\bguid-\d\b/g)].map(([guid]) => guid)

describe('build-service deliveries', () => {
  test('lists webhooks with their outcomes, newest first', async () => {
    const { code, stdout } = await deliveries()
    expect(code).toBe(0)
    expect(guids(stdout)).toEqual(['guid-4', 'guid-3', 'guid-2', 'guid-1'])
    expect(stdout).toMatch(/push +unknown \(4711\) +unknown +guid-4 +unknown repository hello\n/)
    expect(stdout).toMatch(/push +octavia\/hello +ignored +guid-3 +branch main was deleted\n/)
    expect(stdout).toMatch(/ignored +guid-2 +duplicate of the push that created request 1\n/)
    expect(stdout).toMatch(/request +guid-1 +created request 1\n/)
  })

  test('filters the list by repository and outcome, and limits its length', async () => {
    const about = await deliveries('--repository', 'octavia/hello', '--outcome', 'ignored')
    expect(guids(about.stdout)).toEqual(['guid-3', 'guid-2'])
    const { stdout } = await deliveries('--limit', '1', '--json')
    expect(JSON.parse(stdout)).toMatchObject([
      { guid: 'guid-4', outcome: 'unknown', repository: null, repository_codehost_id: 4711 },
    ])
    expect((await deliveries('--outcome', 'error')).stdout).toMatch(/^no matching webhook/)
  })

  test('shows a webhook with its request and build, but without its payload', async () => {
    const { code, stdout } = await deliveries('show', 'guid-1')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^guid +guid-1\nevent +push\nrepository +octavia\/hello\nreceived +\S+Z\n/,
    )
    expect(stdout).toContain('outcome     request: created request 1\n')
    expect(stdout).toContain('request     1, accepted\n')
    expect(stdout).toContain(
      'build       #1, created: https://ci.example.org/octavia/hello/builds/1\n',
    )
    const json = await deliveries('show', 'guid-1', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      guid: 'guid-1',
      request: { id: 1, result: 'accepted' },
      build: { number: 1, state: 'created' },
    })
    expect(stdout + json.stdout).not.toContain('The message of the commit')
  })

  test.each([
    [['show', 'guid-\u001B[31m9'], String.raw`webhook guid-\x1b[31m9 was not received`],
    [['--repository', 'octavia/none'], 'the repository octavia/none is not known here'],
    [['--outcome', 'lost'], 'Allowed choices are request, noted, ignored'],
    [['--limit', 'many'], 'It must be a whole number above 0'],
  ])('%j is refused, with a remedy', async (args, message) => {
    const { code, stdout, stderr } = await deliveries(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})

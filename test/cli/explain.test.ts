import { beforeAll, describe, expect, test } from 'vitest'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { putApproval } from '../../src/store/requests/approvals.ts'
import { secondsAgo } from '../../src/store/sql/age.ts'
import { openDoor } from '../bot/door.ts'
import { command, scratchFolder } from '../support/command.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost, putPull } from '../support/memory-codehost.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const built = `1a2b3c4${'d'.repeat(33)}`
const left = `5e6f708${'e'.repeat(33)}`
const broken = `6f7a819${'a'.repeat(33)}`

/**
 * Pushes: built, repeated, excluded by the build file, of an unknown repository, with a broken
 * file.
 */
beforeAll(async () => {
  const codehost = memoryCodehost()
  codehost.files.set(built, 'script: make')
  codehost.files.set(broken, 'script: [make\nenv: A=1\n')
  codehost.files.set(left, 'script: make\nbranches:\n  only: next\n')
  const ctx = testContext(db, { codehost })
  const deliver = await openDoor(db, ctx)
  const { codehost_id } = await factories(db).repository({ name: 'hello' })
  await deliver('push', push(codehost_id, built))
  await acceptRequest(ctx, 1)
  await deliver('push', push(codehost_id, built))
  await deliver('push', push(codehost_id, left))
  await acceptRequest(ctx, 2)
  await deliver('push', push(4711, 'f'.repeat(40)))
  const gone = { ...push(codehost_id, '0'.repeat(40)), before: deleted, deleted: true }
  await deliver('push', { ...gone, head_commit: null })
  await deliver('pull_request', fromFork(codehost_id))
  putPull(codehost, { head: forked, merge: '9'.repeat(40) }, 7)
  codehost.files.set('9'.repeat(40), 'script: make')
  await acceptRequest(ctx, 3)
  await deliver('push', push(codehost_id, broken))
  await acceptRequest(ctx, 4)
})

const forked = `7a7b7c7${'c'.repeat(33)}`
const deleted = `8d8d8d8${'d'.repeat(33)}`

/** A pull request from another user's repository. */
function fromFork(id: number) {
  const { repository, sender } = push(id, forked)
  const head = {
    ref: 'fix',
    sha: forked,
    repo: { ...repository, id: 666, full_name: 'hacker/hello' },
  }
  return {
    ...{ action: 'opened', number: 7, repository, sender },
    pull_request: {
      ...{ number: 7, title: 'Fix it', state: 'open', draft: false, user: sender, merged: false },
      ...{ html_url: 'https://host.example/7', updated_at: '2026-01-02T12:00:00Z' },
      ...{
        mergeable_state: 'clean',
        head,
        base: { ref: 'main', sha: 'b'.repeat(40), repo: repository },
      },
    },
  }
}

function push(id: number, after: string) {
  return {
    ref: 'refs/heads/main',
    before: 'b'.repeat(40),
    after,
    deleted: false,
    compare: 'https://host.example/a...b',
    head_commit: {
      ...{ id: after, message: 'Say hello', timestamp: '2026-01-02T12:00:00Z' },
      ...{ author: { name: 'Octavia' }, committer: { name: 'Octavia' } },
    },
    repository: {
      ...{ id, name: 'hello', private: false, fork: false, default_branch: 'main' },
      owner: { id: 1, login: 'octavia', type: 'User' },
    },
    sender: { id: 1, login: 'octavia', type: 'User' },
  }
}

function explain(...args: string[]) {
  const env = {
    ...{ DATA_DIR: scratchFolder(), DATABASE_URL: urlOf(connection) },
    ...{ MASTER_KEY: 'a'.repeat(64), PUBLIC_URL: 'https://ci.example.org' },
  }
  return command(['explain', ...args], { env })
}

const sentence = 'branch not included: main matches no entry of branches.only (line 3): next'

describe('build-service explain', () => {
  test.each([
    ['the id of a request', '2'],
    ['a commit', left.slice(0, 7)],
  ])('shows the checks of %s, and the line that decided', async (_what, subject) => {
    const { code, stdout } = await explain(subject)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^request +2 \(push\) at \S+Z\nrepository +octavia\/hello\n/)
    expect(stdout).toContain(`commit      main ${left.slice(0, 12)}\n`)
    expect(stdout).toContain(`verdict     rejected: ${sentence}\n`)
    expect(stdout).toContain('  ✓ The repository is active\n      slug: octavia/hello\n')
    expect(stdout).toContain(
      '  ✗ The branch filter of the build file excludes it (.service.yml:3)\n',
    )
  })

  test('accepts the longer ids of git as well', async () => {
    const { stderr } = await explain('f'.repeat(64))
    expect(stderr).toContain(`no request and no webhook names the commit ${'f'.repeat(64)}: `)
  })

  test('shows the build of an accepted request, and why its jobs wait', async () => {
    const { stdout } = await explain(built)
    expect(await explain('https://ci.example.org/octavia/hello/builds/1')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('verdict     accepted\n') as string,
    })
    expect(stdout).toContain('verdict     accepted\n')
    expect(stdout).toContain('#1, created: https://ci.example.org/octavia/hello/builds/1\n')
    expect(stdout).toContain('job 1.1: It has just been created and will be scheduled next.\n')
  })

  test('names the errors of a build that ended immediately, and their lines', async () => {
    const { stdout } = await explain(broken)
    expect(stdout).toMatch(
      /^verdict +accepted, but its jobs cannot be made: \.service\.yml:2 syntax error: /m,
    )
    expect(stdout).toContain('  ✗ The build file cannot be used (.service.yml:2)\n')
  })

  test('shows the version that a job used instead of the requested one', async () => {
    const config = JSON.stringify({ language: 'node_js', node_js: '8' })
    await db
      .updateTable('jobs')
      .set({ config, found_version: '20.20.2' })
      .where('number', '=', '1.1')
      .execute()
    const { stdout } = await explain(built)
    expect(stdout).toContain(
      'job 1.1: .service.yml asks for "node_js: 8", which jobs do not find on this machine: the job ' +
        'runs with 20.20.2.\n',
    )
  })

  test('shows why no webhook about a commit led to a request', async () => {
    const gone = await explain(deleted.slice(0, 9))
    expect(gone.stdout).toMatch(/^guid +guid-5\n/)
    expect(gone.stdout).toMatch(/outcome +ignored: branch main was deleted\n$/)
    const unknown = await explain('f'.repeat(12))
    expect(unknown.stdout).toMatch(/outcome +unknown: unknown repository hello\n$/)
    const twice = await explain(built)
    expect(twice.stdout).toMatch(
      /outcome +ignored: duplicate of webhook guid-1: the same event was received before and is processed only once; see that webhook for its result\n\nrequest +1 /,
    )
  })

  test("shows for a fork's commit whether, by whom and until when it is approved", async () => {
    const line = async () => /^approval +(.*)$/m.exec((await explain(forked)).stdout)?.[1]
    expect(await line()).toMatch(/^none yet: .* until a maintainer approves this commit/)
    const { id } = await db.selectFrom('pull_requests').select('id').executeTakeFirstOrThrow()
    const { id: approved_by_id } = await factories(db).user('maintainer')
    const at = { pull_request_id: id, sha: forked, base_ref: 'main', approved_by_id }
    await putApproval(db, { ...at, repository_id: 1 })
    expect(await line()).toMatch(/^by maintainer at \S+Z, until \S+Z or the next head$/)
    await db
      .updateTable('approvals')
      .set({ created_at: secondsAgo(31 * 24 * 3600) })
      .execute()
    expect(await line()).toMatch(/^expired at \S+Z \(given by maintainer at /)
    await db
      .updateTable('pull_requests')
      .set({ head_sha: 'a'.repeat(40) })
      .execute()
    expect(await line()).toMatch(
      /^void: the pull request has new commits, and only the latest one can be approved$/,
    )
    expect((await explain(built)).stdout).not.toContain('approval')
  })

  test('shows the outcome of a webhook, also as JSON for programs', async () => {
    const { stdout } = await explain('guid-4')
    expect(stdout).toMatch(/outcome +unknown: unknown repository hello\n$/)
    const json = await explain('guid-3', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      delivery: { guid: 'guid-3', outcome: 'request' },
      requests: [
        {
          ...{ request: 2, result: 'rejected', reason: 'branch_excluded', message: sentence },
          build: null,
        },
      ],
    })
  })

  test.each([
    ['9', 'there is no request, webhook or commit 9'],
    [
      'abcdef012345',
      'no request and no webhook names the commit abcdef012345: build-service deliveries lists',
    ],
    ['guid-\u001B[31m9', String.raw`there is no request, webhook or commit guid-\x1b[31m9`],
  ])('%j is not found, and the error suggests where to look', async (subject, message) => {
    const { code, stdout, stderr } = await explain(subject)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  test('still explains the codes of the linter', async () => {
    expect((await explain('find_key')).stdout).toMatch(/^find_key \(/)
  })
})

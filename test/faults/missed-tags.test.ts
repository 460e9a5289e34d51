// Tags without a webhook are found like branches: by comparing with the code host.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { catchUp } from '../../src/flow/catch-up/catch-up.ts'
import { sweep } from '../../src/flow/upkeep/sweep.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { runDueTasks } from '../../src/worker/schedule.ts'
import { git } from '../codehost/local/git-folder.ts'
import { age } from '../support/age.ts'
import { appSettings, atRest, eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { type Repository, slugOf } from '../support/codehost/tables.ts'
import { command } from '../support/command.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-missed-tags-'))
const host = await startCodehost()
const env = {
  ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: '0' },
  // Jobs do not matter here.
  ...{ ROLE: 'web,worker', MASTER_KEY: 'a'.repeat(64), ...appSettings(host) },
}

let service: Service
let webhooks: string
let repository: Repository
let count = 0

beforeAll(async () => {
  service = await startService(readConfig(env), { log: testLog })
  webhooks = `${service.localUrl}/webhooks/codehost`
  host.setWebhookUrl(webhooks)
})

afterAll(async () => {
  await service.stop()
  await host.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The rows that the command has stored are found by the sweep, after half a minute. */
async function processed(): Promise<void> {
  await sweep(service.ctx, 0)
  await atRest(db)
}

async function look() {
  await processed()
  return catchUp(service.ctx)
}

const files = { '.service.yml': 'script: make' }

/**
 * A repository whose first push is known, and that was looked up already; earlier pushes are left
 * alone.
 */
beforeEach(prepare)

async function prepare(): Promise<void> {
  await db.updateTable('repositories').set({ active: false }).execute()
  repository = await host.addRepository({ owner: `owner-${(count += 1)}` })
  await eventually(async () => {
    const found = await db.selectFrom('repositories').select('codehost_id').execute()
    expect(found).toContainEqual({ codehost_id: repository.id })
  })
  await host.commit(repository, { files })
  await look()
}

/** Makes a change without a webhook. */
async function quietly<T>(act: () => Promise<T>): Promise<T> {
  host.setWebhookUrl(undefined)
  try {
    return await act()
  } finally {
    host.setWebhookUrl(webhooks)
  }
}

const head = (ref = 'main') => git(repository.folder, 'rev-parse', ref)
const nothing = { requested: [], pushes: [], unbuilt: [], first_looks: [] }

function tag(name: string, given: { sha?: string; message?: string } = {}): Promise<string> {
  return quietly(async () => {
    const sha = given.sha ?? (await head())
    await host.pushRef(repository, `refs/tags/${name}`, { ...given, sha })
    laterPush()
    return head(`refs/tags/${name}`)
  })
}

async function untag(name: string): Promise<void> {
  await quietly(() => host.pushRef(repository, `refs/tags/${name}`))
  laterPush()
}

let pushes = 0

/** The code host distinguishes pushes by the second. */
function laterPush(): void {
  repository.pushed_at = new Date(Date.now() + 1000 * (pushes += 1))
}

/** Creates this many tags, each of a separate commit, a minute apart. */
async function tagHistory(names: readonly string[], begin: Date): Promise<void> {
  const commits = names.flatMap((name, index) => {
    const time = `${Math.floor(begin.getTime() / 1000) + 60 * index} +0000`
    const from = index === 0 ? ['from refs/heads/main^0'] : []
    return [
      ...[`commit refs/heads/history`, `committer Ada <ada@example.org> ${time}`, 'data 1', 'x'],
      ...[...from, '', `reset refs/tags/${name}`, 'from refs/heads/history', ''],
    ]
  })
  const input = `${commits.join('\n')}\n`
  execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: repository.folder, input })
  await git(repository.folder, 'update-ref', '-d', 'refs/heads/history')
  laterPush()
}

const found = (name: string, sha: string) => ({
  repository: slugOf(repository),
  ref: `refs/tags/${name}`,
  sha,
})

/** The tags with requests, with the pushed objects and the commits, in order. */
async function requested() {
  await processed()
  return db
    .selectFrom('requests')
    .innerJoin('repositories', 'repositories.id', 'requests.repository_id')
    .innerJoin('commits', 'commits.id', 'commit_id')
    .select(['requests.ref', 'before_sha', 'after_sha', 'commits.sha', 'result'])
    .where('repositories.codehost_id', '=', repository.id)
    .where('requests.ref', 'like', 'refs/tags/%')
    .orderBy('requests.id')
    .execute()
}

const none = '0'.repeat(40)
const built = (name: string, after: string, { before = none, sha = after } = {}) => ({
  ...{ ref: `refs/tags/${name}`, before_sha: before, after_sha: after, sha, result: 'accepted' },
})

describe("the first look-up of a repository's tags", () => {
  test('only records them, even if its branches are already known', async () => {
    await tag('v1')
    await db.deleteFrom('seen_tags').execute()
    const slug = slugOf(repository)
    const looked = await command(['catch-up'], { env })
    expect(looked).toMatchObject({ code: 0, stderr: '' })
    const lines = looked.stdout.split('\n')
    expect(lines).toContain(
      `${slug} was looked at for the first time: its tags were recorded, not built`,
    )
    expect(lines).toContain('nothing was missed')
    expect(await requested()).toEqual([])

    const sha = await tag('v2')
    expect(await look()).toEqual({ ...nothing, pushes: [found('v2', sha)] })
    expect(await requested()).toEqual([built('v2', sha)])
  })

  test('is reported together with the first look-up of its branches', async () => {
    const other = await quietly(async () => {
      const made = await host.addRepository({ owner: repository.owner.login, name: 'other', files })
      await host.pushRef(made, 'refs/tags/v1', { sha: await git(made.folder, 'rev-parse', 'main') })
      return made
    })
    const installation = host.refTo(other).installation ?? 0
    await service.ctx.enqueue('installation.sync', { installation })
    await eventually(async () => {
      const known = await db.selectFrom('repositories').select('codehost_id').execute()
      expect(known).toContainEqual({ codehost_id: other.id })
    })
    const { stdout } = await command(['catch-up', '--json'], { env })
    const looked = slugOf(other)
    expect(JSON.parse(stdout)).toEqual({
      ...nothing,
      first_looks: [
        { repository: looked, of: 'branches' },
        { repository: looked, of: 'tags' },
      ],
    })
  })
})

describe('a later look-up', () => {
  test('builds a new tag once, whether or not its webhook arrives later', async () => {
    const release = host.holdWebhooks()
    const sha = await head()
    await host.pushRef(repository, 'refs/tags/v1', { sha })
    expect(await look()).toEqual({ ...nothing, pushes: [found('v1', sha)] })
    expect(await requested()).toEqual([built('v1', sha)])
    await release()
    expect(await look()).toEqual(nothing)
    expect(await requested()).toEqual([built('v1', sha)])
  })

  test('does not build a tag again whose webhook has arrived', async () => {
    const sha = await head()
    await host.pushRef(repository, 'refs/tags/v1', { sha })
    expect(await look()).toEqual(nothing)
    expect(await requested()).toEqual([built('v1', sha)])
  })

  test('compares the object of an annotated tag, and builds the commit that the tag points to', async () => {
    const sha = await head()
    const release = host.holdWebhooks()
    await host.pushRef(repository, 'refs/tags/v1', { sha, message: 'The first' })
    const object = await head('refs/tags/v1')
    expect(object).not.toBe(sha)
    expect(await look()).toEqual({ ...nothing, pushes: [found('v1', object)] })
    await release()
    expect(await look()).toEqual(nothing)
    expect(await requested()).toEqual([built('v1', object, { sha })])
  })

  test('builds a tag again that was moved, or recreated at the same commit', async () => {
    const first = await tag('v1')
    await look()
    const second = await quietly(() =>
      host.commit(repository, { branch: 'next', files: { a: '' } }),
    )
    await tag('v1', { sha: second })
    expect((await look())?.pushes).toContainEqual(found('v1', second))
    // Another object for the same commit, as a webhook would report.
    const third = await tag('v1', { message: 'Signed' })
    expect((await look())?.pushes).toEqual([found('v1', third)])
    expect(await requested()).toEqual([
      built('v1', first),
      built('v1', second, { before: first }),
      built('v1', third, { before: second, sha: first }),
    ])
  })

  test.each([
    ['a look', () => untag('v1')],
    ['a webhook', () => host.pushRef(repository, 'refs/tags/v1')],
  ])('builds a tag that was recreated after %s had found it deleted', async (_by, remove) => {
    const sha = await tag('v1')
    await look()
    await remove()
    expect(await look()).toEqual(nothing)
    expect(await db.selectFrom('tags').select('exists_on_codehost').execute()).toContainEqual({
      exists_on_codehost: false,
    })
    await tag('v1', { sha })
    expect(await look()).toEqual({ ...nothing, pushes: [found('v1', sha)] })
    expect(await requested()).toEqual([built('v1', sha), built('v1', sha)])
  })

  test('does not build a tag that points to no commit', async () => {
    await tag('tree', { sha: await head('main^{tree}') })
    expect(await look()).toEqual(nothing)
    expect(await requested()).toEqual([])
  })

  test('finds tags and branches whose names are members of JavaScript objects', async () => {
    const sha = await tag('constructor')
    const next = await quietly(() =>
      host.commit(repository, { branch: 'toString', files: { a: '1' } }),
    )
    const slug = slugOf(repository)
    expect((await look())?.pushes).toEqual([
      { repository: slug, ref: 'refs/heads/toString', sha: next },
      found('constructor', sha),
    ])
    expect(await requested()).toEqual([built('constructor', sha)])
  })
})

describe('if there are more than 20 new tags', () => {
  const names = Array.from({ length: 25 }, (_, index) => `v${String(index).padStart(2, '0')}`)

  test('the newest 20 are built in order, and the command lists the others', async () => {
    await tagHistory(names, new Date('2026-03-01T00:00:00Z'))
    const { code, stdout } = await command(['catch-up'], { env })
    const slug = slugOf(repository)
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      ...(await Promise.all(
        names.slice(5).map(async (name) => {
          return `a push to refs/tags/${name} of ${slug} was found: ${await head(name)}`
        }),
      )),
      `${slug} has more new tags than are built at once; request builds of the ones that you ` +
        'need: v04, v03, v02, v01, v00',
      '',
    ])
    expect(await look()).toEqual(nothing)
    expect((await requested()).map(({ ref }) => ref)).toEqual(
      names.slice(5).map((name) => `refs/tags/${name}`),
    )
  })

  test('the log of the service lists the others', async () => {
    await tagHistory(names, new Date('2026-03-01T00:00:00Z'))
    const warnings: unknown[] = []
    const log = Object.assign(Object.create(testLog) as typeof testLog, {
      warn: (...args: unknown[]) => void warnings.push(args),
    })
    const { unbuilt } = (await catchUp({ ...service.ctx, log })) ?? {}
    const tags = ['v04', 'v03', 'v02', 'v01', 'v00'].map((name) => `refs/tags/${name}`)
    expect(unbuilt?.map(({ ref }) => ref)).toEqual(tags)
    expect(warnings).toEqual([
      [
        { repository: slugOf(repository), tags, most: 20 },
        'new tags were not built: too many at once',
      ],
    ])
  })
})

describe('if there are hundreds of tags', () => {
  const names = Array.from({ length: 300 }, (_, index) => `v${index}`)

  test('one call reads the newest, and an older tag that moves up the list is not new', async () => {
    await tagHistory(names, new Date('2026-03-01T00:00:00Z'))
    await db.deleteFrom('seen_tags').execute()
    await look()
    await untag('v299')
    const queries = () => host.calls.filter(({ call }) => call === 'POST /graphql').length
    const before = queries()
    expect(await look()).toEqual(nothing)
    expect(queries()).toBe(before + 1)
    expect(await requested()).toEqual([])

    const committed_at = new Date('2026-04-01T00:00:00Z')
    await quietly(() => host.commit(repository, { branch: 'next', committed_at }))
    const sha = await tag('newest', { sha: await head('next') })
    expect((await look())?.pushes).toContainEqual(found('newest', sha))
    expect(await requested()).toEqual([built('newest', sha)])
  })

  test('hundreds of tags are new if none of the newest was known before', async () => {
    await tagHistory(names.slice(0, 150), new Date('2026-03-01T00:00:00Z'))
    await db.deleteFrom('seen_tags').execute()
    await look()
    await tagHistory(names.slice(150), new Date('2026-04-01T00:00:00Z'))
    const { pushes = [], unbuilt = [] } = (await look()) ?? {}
    expect([pushes.length, unbuilt.length]).toEqual([20, 80])
    expect(pushes.at(-1)?.ref).toBe('refs/tags/v299')
  })
})

describe('a look-up that fails', () => {
  test('halfway records nothing, is reported, and is repeated without duplicate builds', async () => {
    const first = await tag('v1')
    const other = await quietly(() =>
      host.commit(repository, {
        ...{ branch: 'next', files: { a: '1' } },
        committed_at: new Date('2026-02-01T00:00:00Z'),
      }),
    )
    await look()
    const second = await tag('v2')
    const third = await tag('v3', { sha: other })
    const restore = host.failWhile({ kind: 'status', status: 500 }, new RegExp(`/commits/${other}`))
    const slug = slugOf(repository)
    const failed = await command(['catch-up'], { env })
    expect(failed.code).toBe(2)
    expect(failed.stderr).toContain(
      `the check is incomplete: could not read the tags of ${slug}: ` +
        'the code host responded with 500',
    )
    restore()
    expect((await look())?.problem).toBeUndefined()
    expect(await requested()).toEqual([built('v1', first), built('v2', second), built('v3', third)])
    expect(await look()).toEqual(nothing)
  })

  test.each(['RATE_LIMITED', 'SOMETHING_WENT_WRONG', 'FORBIDDEN'])(
    'with %s does not stop the look-up of branches',
    async (type) => {
      const sha = await tag('v1')
      const next = await quietly(() => host.commit(repository, { files: { a: '1' } }))
      // The command is a separate process, so that its rate limit does not apply to the service.
      const restore = host.failWhile({ kind: 'graphql', type, message: 'no' }, /\/graphql$/)
      const looked = await command(['catch-up', '--json'], { env })
      restore()
      expect(looked.code).toBe(2)
      expect(looked.stderr).toContain(
        `the check is incomplete: could not read the tags of ${slugOf(repository)}: `,
      )
      expect(JSON.parse(looked.stdout)).toEqual({
        ...nothing,
        pushes: [{ repository: slugOf(repository), ref: 'refs/heads/main', sha: next }],
      })
      expect((await look())?.pushes).toEqual([found('v1', sha)])
    },
  )
})

test('CATCH_UP_TAGS=false ignores tags, and tags pushed meanwhile are not built later', async () => {
  const config = { ...service.ctx.config, catchUpTags: false }
  await tag('v1')
  const before = host.calls.length
  const off = await command(['catch-up'], { env: { ...env, CATCH_UP_TAGS: 'false' } })
  expect(off).toMatchObject({ code: 0, stdout: 'nothing was missed\n' })
  await age(db, 15 * 60)
  await runDueTasks({ ...service.ctx, config })
  expect(host.calls.slice(before).filter(({ call }) => call === 'POST /graphql')).toEqual([])
  const repeated = await look()
  expect(repeated?.first_looks).toContainEqual({ repository: slugOf(repository), of: 'tags' })
  expect(await requested()).toEqual([])
})

test('a tag whose pusher is unknown is not built while a user with push access is blocked', async () => {
  const eve = host.addUser({ login: `eve-${count}` })
  await host.setRole(repository, eve.login, 'write')
  const { id: codehost_id, login } = eve
  const blocked = { provider: 'codehost', codehost_id, login, blocked_at: new Date() } as const
  await db.insertInto('users').values(blocked).execute()
  await tag('v1')
  await look()
  expect(await requested()).toMatchObject([{ ref: 'refs/tags/v1', result: 'rejected' }])
  await db.updateTable('users').set({ blocked_at: null }).where('login', '=', login).execute()
})

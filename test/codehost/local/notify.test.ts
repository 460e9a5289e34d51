import type {
  PullRequestEvent as HostPullRequestEvent,
  PushEvent as HostPushEvent,
} from '@octokit/webhooks-types'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { pullRequestEvent } from '../../../src/bot/pull-request.ts'
import { pushEvent } from '../../../src/bot/push.ts'
import type { LocalDelivery } from '../../../src/codehost/local/delivery.ts'
import { notify } from '../../../src/codehost/local/hooks/notify.ts'
import type { PullRequestPayload } from '../../../src/codehost/local/payloads/pull-request-payload.ts'
import type { PushPayload } from '../../../src/codehost/local/payloads/push-payload.ts'
import { closePull, openPull } from '../../../src/codehost/local/pulls.ts'
import { addRepository } from '../../../src/codehost/local/register.ts'
import { commit, git } from './git-folder.ts'
import { localScene } from './scene.ts'

const { local, makeFolder, makeRepository } = await localScene()
const none = '0'.repeat(40)
const origin = { delivery_id: 1, provider: 'local' as const }

type Repository = Awaited<ReturnType<typeof makeRepository>>

interface Told {
  guid: string
  event: string
  payload: Record<string, unknown>
}

/** Delivers all changes, and returns them. */
async function tell({ codehost_id }: Pick<Repository, 'codehost_id'>): Promise<Told[]> {
  const told: Told[] = []
  await notify(local, { codehost_id }, async (delivery) => {
    told.push(read(delivery))
  })
  return told
}

function read({ guid, event, body }: LocalDelivery): Told {
  return { guid, event, payload: JSON.parse(body.toString()) }
}

const payloadsOf = (told: readonly Told[]) => told.map(({ payload }) => payload)
const refsOf = (told: readonly Told[]) => told.map(({ payload }) => payload['ref'])

describe('a push', () => {
  test('of a new branch is reported as on any code host', async () => {
    const repository = await makeRepository()
    const message = 'Add "it"\n\nWith a second line, and 100% \\n ünïcode.'
    const sha = await commit(repository.folder, { message })
    const tree = await git(repository.folder, 'rev-parse', `${sha}^{tree}`)
    const person = { name: 'Ada', email: 'ada@example.org' }
    const told = {
      id: sha,
      tree_id: tree,
      message,
      timestamp: '2026-01-02T12:00:00.000Z',
      author: person,
      committer: person,
    }
    const local = { id: 1, login: 'local', type: 'User' }

    expect(await tell(repository)).toEqual([
      {
        guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        event: 'push',
        payload: {
          ref: 'refs/heads/main',
          before: none,
          after: sha,
          created: true,
          deleted: false,
          forced: false,
          base_ref: null,
          compare: '',
          commits: [told],
          head_commit: told,
          pusher: { name: 'local', email: null },
          repository: {
            id: repository.codehost_id,
            name: repository.name,
            full_name: `local/${repository.name}`,
            private: false,
            fork: false,
            default_branch: 'main',
            description: null,
            language: null,
            owner: { ...local, name: 'local' },
          },
          sender: local,
        },
      },
    ])
  })

  test('is reported once', async () => {
    const repository = await makeRepository()
    await commit(repository.folder)
    expect(await tell(repository)).toHaveLength(1)
    expect(await tell(repository)).toEqual([])
  })

  test('of commits made in a work tree is one push for each commit', async () => {
    const repository = await makeRepository('--quiet')
    const made: string[] = []
    const work = async (message: string) => {
      await git(repository.folder, 'commit', '--quiet', '--allow-empty', '--message', message)
      made.push(await git(repository.folder, 'rev-parse', 'HEAD'))
    }
    await work('Begin')
    await tell(repository)
    for (const message of ['One', 'Two', 'Three']) await work(message)
    const [begin, one, two, three] = made
    const told = await tell(repository)
    expect(payloadsOf(told)).toMatchObject([
      { before: begin, after: one, commits: [{ id: one }] },
      { before: one, after: two, commits: [{ id: two }] },
      { before: two, after: three, commits: [{ id: three }] },
    ])
    expect(new Set(told.map(({ guid }) => guid)).size).toBe(3)
    expect(await tell(repository)).toEqual([])

    // A pull or a merge is one push, however many commits it brings.
    await git(repository.folder, 'checkout', '--quiet', '-b', 'topic')
    for (const message of ['Four', 'Five']) await work(message)
    await git(repository.folder, 'checkout', '--quiet', 'main')
    await git(repository.folder, 'merge', '--quiet', '--ff-only', 'topic')
    const merged = payloadsOf(await tell(repository)).filter(({ ref }) => ref === 'refs/heads/main')
    expect(merged).toMatchObject([{ before: three, after: made.at(-1) }])

    for (let count = 0; count < 25; count++) await work(`Unseen ${count}`)
    expect(payloadsOf(await tell(repository)).map(({ after }) => after)).toEqual(made.slice(-20))
  })

  test('of several commits lists them, oldest first, with a compare link', async () => {
    const repository = await makeRepository()
    const before = await commit(repository.folder)
    await tell(repository)
    const one = await commit(repository.folder, { message: 'One' })
    const after = await commit(repository.folder, { message: 'Two' })

    expect(payloadsOf(await tell(repository))).toMatchObject([
      {
        before,
        after,
        created: false,
        deleted: false,
        forced: false,
        compare: `${before}...${after}`,
        commits: [{ id: one }, { id: after }],
        head_commit: { id: after, message: 'Two' },
      },
    ])
  })

  test('of many commits lists the newest twenty', async () => {
    const repository = await makeRepository()
    for (let count = 1; count <= 22; count++) {
      await commit(repository.folder, { message: String(count) })
    }
    const [payload] = payloadsOf(await tell(repository))
    expect(payload?.['commits']).toMatchObject(
      Array.from({ length: 20 }, (_, index) => ({ message: String(index + 3) })),
    )
  })

  test('of a new branch at a known commit lists no commits', async () => {
    const repository = await makeRepository()
    const sha = await commit(repository.folder)
    await git(repository.folder, 'branch', 'other', 'main')
    expect(payloadsOf(await tell(repository))).toMatchObject([
      { ref: 'refs/heads/main', commits: [{ id: sha }] },
      { ref: 'refs/heads/other', commits: [], head_commit: { id: sha } },
    ])
  })

  test('by force is marked as forced, even one to an earlier commit', async () => {
    const repository = await makeRepository()
    const root = await commit(repository.folder)
    const left = await commit(repository.folder, { message: 'Left' })
    await tell(repository)
    const other = await commit(repository.folder, { message: 'Other', parent: root })
    const forced = await tell(repository)
    await git(repository.folder, 'update-ref', 'refs/heads/main', root)
    const back = await tell(repository)
    expect(payloadsOf([...forced, ...back])).toMatchObject([
      { before: left, after: other, forced: true, commits: [{ id: other }] },
      { before: other, after: root, forced: true, commits: [] },
    ])
  })

  test('can replace a commit that git has since pruned', async () => {
    const repository = await makeRepository()
    const root = await commit(repository.folder)
    const left = await commit(repository.folder)
    await tell(repository)
    const other = await commit(repository.folder, { message: 'Other', parent: root })
    await git(repository.folder, 'reflog', 'expire', '--expire=all', '--all')
    await git(repository.folder, 'gc', '--quiet', '--prune=now')
    expect(payloadsOf(await tell(repository))).toMatchObject([
      { before: left, after: other, forced: true, head_commit: { id: other } },
    ])
  })

  test('that deletes a branch has no commit', async () => {
    const repository = await makeRepository()
    const before = await commit(repository.folder, { branch: 'gone' })
    await tell(repository)
    await git(repository.folder, 'update-ref', '-d', 'refs/heads/gone')
    expect(payloadsOf(await tell(repository))).toMatchObject([
      {
        ref: 'refs/heads/gone',
        before,
        after: none,
        created: false,
        deleted: true,
        forced: false,
        compare: '',
        commits: [],
        head_commit: null,
      },
    ])
    expect(await tell(repository)).toEqual([])
  })

  test('of tags reports the tag object and the commit', async () => {
    const repository = await makeRepository()
    const sha = await commit(repository.folder)
    await tell(repository)
    await git(repository.folder, 'tag', '--message', 'A release', 'heavy')
    await git(repository.folder, 'tag', 'light')
    const heavy = await git(repository.folder, 'rev-parse', 'refs/tags/heavy')
    expect(heavy).not.toBe(sha)
    expect(payloadsOf(await tell(repository))).toMatchObject([
      {
        ref: 'refs/tags/heavy',
        after: heavy,
        created: true,
        commits: [],
        head_commit: { id: sha },
      },
      { ref: 'refs/tags/light', after: sha, created: true, commits: [], head_commit: { id: sha } },
    ])
  })

  test('of a tag on another object has no commit', async () => {
    const repository = await makeRepository()
    await commit(repository.folder)
    await tell(repository)
    await git(repository.folder, 'tag', 'tree', 'main^{tree}')
    expect(payloadsOf(await tell(repository))).toMatchObject([
      { ref: 'refs/tags/tree', head_commit: null },
    ])
  })

  test.each([`quo"te`, "it's", '$(reboot);`x`|&<>!%00#', '-x', 'größe/日本', '{"a",1}'])(
    'of a branch named %s is a push like any other',
    async (branch) => {
      const repository = await makeRepository()
      const sha = await commit(repository.folder, { branch })
      expect(payloadsOf(await tell(repository))).toMatchObject([
        { ref: `refs/heads/${branch}`, after: sha, head_commit: { id: sha } },
      ])
    },
  )

  test('is understood by the bot', async () => {
    const repository = await makeRepository()
    const before = await commit(repository.folder)
    await tell(repository)
    const after = await commit(repository.folder, { message: 'Two' })
    const [told] = await tell(repository)
    const { folder: _folder, slug: _slug, installation: _installation, ...facts } = repository
    expect(pushEvent(told?.payload as unknown as Parameters<typeof pushEvent>[0], origin)).toEqual({
      type: 'push',
      delivery_id: 1,
      installation_codehost_id: null,
      // Never sent, because local repositories are never archived.
      repository: { ...facts, archived: null },
      sender: { codehost_id: 1, login: 'local' },
      ref: 'refs/heads/main',
      before,
      after,
      deleted: false,
      forced: false,
      compare_url: null,
      head_commit: {
        sha: after,
        message: 'Two',
        committed_at: new Date('2026-01-02T12:00:00Z'),
        author_name: 'Ada',
        author_email: 'ada@example.org',
        committer_name: 'Ada',
        committer_email: 'ada@example.org',
      },
    })
  })
})

async function makeFull() {
  const folder = await makeFolder('--bare')
  await commit(folder)
  await commit(folder, { branch: 'other' })
  await git(folder, 'tag', 'v1', 'main')
  return folder
}

describe('for a repository that was just added', () => {
  test('nothing is reported', async () => {
    const repository = await addRepository(local, await makeFull())
    expect(await tell(repository)).toEqual([])
  })

  test('the default branch is reported if a build is requested', async () => {
    const repository = await addRepository(local, await makeFull(), { build: true })
    expect(payloadsOf(await tell(repository))).toMatchObject([
      { ref: 'refs/heads/main', created: true },
    ])
  })
})

async function makePull() {
  const repository = await makeRepository()
  const root = await commit(repository.folder, { files: { root: 'root' } })
  const base = await commit(repository.folder, { files: { a: 'a' } })
  const head = await commit(repository.folder, { branch: 'feature', parent: root })
  await tell(repository)
  const pull = { base: 'main', head: 'feature', title: 'Add "it"' }
  const { number } = await openPull(local, repository, pull)
  return { repository, base, head, number }
}

describe('a pull request', () => {
  test('that was opened is reported as on any code host', async () => {
    const { repository, base, head } = await makePull()
    const told = await tell(repository)
    expect(told).toMatchObject([{ event: 'pull_request' }])
    const [payload] = payloadsOf(told)
    const user = { id: 1, login: 'local', type: 'User' }
    const repo = payload?.['repository']
    expect(payload).toEqual({
      action: 'opened',
      number: 1,
      pull_request: {
        number: 1,
        state: 'open',
        title: 'Add "it"',
        draft: false,
        html_url: null,
        user,
        merged: false,
        mergeable: null,
        mergeable_state: 'unknown',
        merge_commit_sha: null,
        head: { label: 'local:feature', ref: 'feature', sha: head, user, repo },
        base: { label: 'local:main', ref: 'main', sha: base, user, repo },
      },
      repository: expect.objectContaining({ id: repository.codehost_id }),
      sender: user,
    })
    expect(await tell(repository)).toEqual([])
  })

  test('whose head moved is reported after the push', async () => {
    const { repository, head } = await makePull()
    await tell(repository)
    const after = await commit(repository.folder, { branch: 'feature' })
    expect(payloadsOf(await tell(repository))).toMatchObject([
      { ref: 'refs/heads/feature', after },
      { action: 'synchronize', before: head, after, pull_request: { head: { sha: after } } },
    ])
  })

  test('whose base moved is not reported itself', async () => {
    const { repository } = await makePull()
    await tell(repository)
    await commit(repository.folder, { files: { c: 'c' } })
    expect(refsOf(await tell(repository))).toEqual(['refs/heads/main'])
  })

  test('that was closed is reported once, without later updates of its head', async () => {
    const { repository, head, number } = await makePull()
    await tell(repository)
    await closePull(local, repository, number)
    expect(payloadsOf(await tell(repository))).toMatchObject([
      { action: 'closed', pull_request: { state: 'closed', merged: false, head: { sha: head } } },
    ])
    await commit(repository.folder, { branch: 'feature' })
    expect(refsOf(await tell(repository))).toEqual(['refs/heads/feature'])
  })

  test('that was closed before it was reported is never reported', async () => {
    const { repository, number } = await makePull()
    await closePull(local, repository, number)
    expect(await tell(repository)).toEqual([])
  })

  test('is closed once its base contains its head', async () => {
    const { repository, head } = await makePull()
    await tell(repository)
    await git(repository.folder, 'update-ref', 'refs/heads/main', head)
    expect(payloadsOf(await tell(repository))).toMatchObject([
      { ref: 'refs/heads/main' },
      { action: 'closed', pull_request: { state: 'closed', merged: true } },
    ])
  })

  test.each(['main', 'feature'])('is closed when its branch %s is deleted', async (gone) => {
    const { repository, head } = await makePull()
    await tell(repository)
    await git(repository.folder, 'update-ref', '-d', `refs/heads/${gone}`)
    expect(payloadsOf(await tell(repository))).toMatchObject([
      { ref: `refs/heads/${gone}`, deleted: true },
      { action: 'closed', pull_request: { merged: false, head: { sha: head } } },
    ])
  })

  test('is understood by the bot', async () => {
    const { repository, base, head } = await makePull()
    const [told] = await tell(repository)
    const payload = told?.payload as unknown as Parameters<typeof pullRequestEvent>[0]
    expect(pullRequestEvent(payload, origin)).toMatchObject({
      type: 'pull_request',
      action: 'opened',
      number: 1,
      title: 'Add "it"',
      state: 'open',
      draft: false,
      html_url: null,
      author_login: 'local',
      retargeted: false,
      mergeable_state: 'unknown',
      head: {
        sha: head,
        ref: 'feature',
        repository_codehost_id: repository.codehost_id,
        slug: `local/${repository.name}`,
      },
      base: { sha: base, ref: 'main' },
    })
  })
})

describe('a delivery that is rejected', () => {
  test('stops the notification, and comes first in the next one, with the same guid', async () => {
    const repository = await makeRepository()
    for (const branch of ['a', 'b', 'c']) await commit(repository.folder, { branch })
    const tried: LocalDelivery[] = []
    const failing = notify(local, repository, async (delivery) => {
      tried.push(delivery)
      if (tried.length === 2) throw new Error('nobody answers')
    })
    await expect(failing).rejects.toThrow('nobody answers')
    expect(refsOf(tried.map(read))).toEqual(['refs/heads/a', 'refs/heads/b'])

    const told = await tell(repository)
    expect(refsOf(told)).toEqual(['refs/heads/b', 'refs/heads/c'])
    expect(told[0]?.guid).toBe(tried[1]?.guid)
    expect(await tell(repository)).toEqual([])
  })
})

test('a ref that moves back and forth has a new guid each time', async () => {
  const repository = await makeRepository()
  const one = await commit(repository.folder)
  const two = await commit(repository.folder)
  const guids: string[] = []
  for (const target of [two, one, two, one, null, one, null, one]) {
    const change = target === null ? ['-d', 'refs/heads/main'] : ['refs/heads/main', target]
    await git(repository.folder, 'update-ref', ...change)
    guids.push(...(await tell(repository)).map(({ guid }) => guid))
  }
  expect(guids).toHaveLength(8)
  expect(new Set(guids).size).toBe(8)
})

test('of several concurrent calls, one reports and the others find nothing to report', async () => {
  const repository = await makeRepository()
  for (const branch of ['a', 'b', 'c']) await commit(repository.folder, { branch })
  const told = await Promise.all([1, 2, 3, 4].map(() => tell(repository)))
  expect(told.flatMap(refsOf)).toEqual(['refs/heads/a', 'refs/heads/b', 'refs/heads/c'])
})

test('more concurrent calls than connections leave a connection for each delivery', async () => {
  const repositories = await Promise.all(Array.from({ length: 12 }, () => makeRepository()))
  for (const { folder } of repositories) await commit(folder)
  const refs: unknown[] = []
  const deliver = async (delivery: LocalDelivery) => {
    await sql`select 1`.execute(local.db)
    refs.push(read(delivery).payload['ref'])
  }
  const calls = [...repositories, ...repositories].map((each) => notify(local, each, deliver))
  expect((await Promise.all(calls)).filter((events) => events > 0).length).toBeGreaterThan(0)
  expect(refs).toEqual(repositories.map(() => 'refs/heads/main'))
})

test('changes during a call are reported by the next one', async () => {
  const repository = await makeRepository()
  await commit(repository.folder, { branch: 'a' })
  let next: Promise<Told[]> | undefined
  await notify(local, repository, async () => {
    await commit(repository.folder, { branch: 'b' })
    next = tell(repository)
  })
  expect(refsOf((await next) ?? [])).toEqual(['refs/heads/b'])
})

test('a repository that is not registered cannot be reported', async () => {
  await expect(tell({ codehost_id: 4711 })).rejects.toThrow(
    'repository 4711 is no longer registered on this machine',
  )
})

// Members that other code hosts do not have, or have with another type. Null stands for no address.
type Unlike<Ours, Host> = {
  [Key in keyof Ours]: Key extends keyof Host
    ? Ours[Key] extends Shape<Host[Key]>
      ? never
      : Key
    : Key
}[keyof Ours]

type Shape<T> = T extends readonly (infer Item)[]
  ? Shape<Item>[]
  : T extends object
    ? { [Key in keyof T]?: unknown }
    : T | null

type None<Keys> = [Keys] extends [never] ? true : Keys

test('payloads have no members unknown to other code hosts', () => {
  type Pull = PullRequestPayload['pull_request']
  const push: None<Unlike<PushPayload, HostPushEvent>> = true
  const commits: None<Unlike<PushPayload['commits'][0], HostPushEvent['commits'][0]>> = true
  const pull: None<Unlike<Pull, HostPullRequestEvent['pull_request']>> = true
  const head: None<Unlike<Pull['head'], HostPullRequestEvent['pull_request']['head']>> = true
  const repository: None<Unlike<Pull['head']['repo'], HostPushEvent['repository']>> = true
  expect([push, commits, pull, head, repository]).not.toContain(false)
})

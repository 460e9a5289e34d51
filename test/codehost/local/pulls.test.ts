import { describe, expect, test } from 'vitest'
import { closePull, openPull, pullsOf } from '../../../src/codehost/local/pulls.ts'
import { commit, git } from './git-folder.ts'
import { localScene } from './scene.ts'

const { local, makeRepository } = await localScene()

/** A repository with `main` and a branch that can be merged. */
async function makePair(branch = 'feature') {
  const { folder, ...repository } = await makeRepository()
  const root = await commit(folder, { files: { root: 'root' } })
  const base = await commit(folder, { files: { a: 'a' } })
  const message = 'Add b\n\nAt last.'
  const head = await commit(folder, { branch, parent: root, message, files: { b: 'b' } })
  return { folder, repository, root, base, head }
}

const wanted = { base: 'main', head: 'feature' }

describe('a pull request', () => {
  test('is open, and titled after its newest commit', async () => {
    const { repository, head } = await makePair()
    expect(await openPull(local, repository, wanted)).toEqual({
      number: 1,
      title: 'Add b',
      base_ref: 'main',
      head_ref: 'feature',
      head_sha: head,
      state: 'open',
      created_at: expect.any(Date),
    })
  })

  test('has the given title', async () => {
    const { repository } = await makePair()
    const pull = await openPull(local, repository, { ...wanted, title: 'Add "b"' })
    expect(pull.title).toBe('Add "b"')
  })

  test('can have branches with unusual names', async () => {
    const branch = `a"b'c$(d)/ü`
    const { repository, head } = await makePair(branch)
    const { number } = await openPull(local, repository, { base: 'main', head: branch })
    expect(await local.pull(repository, number)).toMatchObject({
      mergeable_state: 'clean',
      head: { sha: head, ref: branch },
    })
  })

  test('is numbered from 1 in each repository', async () => {
    const [one, other] = [await makePair(), await makePair()]
    await commit(one.folder, { branch: 'second', parent: one.head })
    const pulls = [
      await openPull(local, one.repository, wanted),
      await openPull(local, one.repository, { base: 'main', head: 'second' }),
      await openPull(local, other.repository, wanted),
    ]
    expect(pulls.map(({ number }) => number)).toEqual([1, 2, 1])
    expect(await pullsOf(local, one.repository)).toEqual(pulls.slice(0, 2))
  })

  test('has a unique number even if several are opened at the same time', async () => {
    const { folder, repository, head } = await makePair()
    const branches = ['a', 'b', 'c', 'd', 'e']
    for (const branch of branches) await commit(folder, { branch, parent: head })
    const pulls = await Promise.all(
      branches.map((head) => openPull(local, repository, { base: 'main', head })),
    )
    expect(pulls.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
  })

  test('can be closed repeatedly, and reopened under the next number', async () => {
    const { repository } = await makePair()
    await openPull(local, repository, wanted)
    await closePull(local, repository, 1)
    expect(await closePull(local, repository, 1)).toMatchObject({ number: 1, state: 'closed' })
    expect(await openPull(local, repository, wanted)).toMatchObject({ number: 2, state: 'open' })
  })
})

describe('no pull request is opened', () => {
  test.each([
    [
      'from an unknown branch',
      { base: 'main', head: 'none' },
      /^there is no branch none in local\/hello-\d+ to merge$/,
    ],
    [
      'into an unknown branch',
      { base: 'none', head: 'main' },
      /^there is no branch none in .* to merge into$/,
    ],
    ['from a sha', { base: 'main', head: 'f'.repeat(40) }, /^there is no branch ffff/],
    ['from an option', { base: 'main', head: '--all' }, /^there is no branch --all/],
    ['from an expression', { base: 'main', head: 'main~1' }, /^"main~1" cannot be the name/],
    ['into itself', { base: 'main', head: 'main' }, /^there is nothing to merge: main has every/],
    ['from a merged branch', { base: 'main', head: 'old' }, /^there is nothing to merge/],
    [
      'from a branch with an unrelated history',
      { base: 'main', head: 'alien' },
      /have no commit in common$/,
    ],
  ])('%s', async (_, pull, message) => {
    const { folder, repository, root } = await makePair()
    await git(folder, 'branch', 'old', root)
    await commit(folder, { branch: 'alien' })
    await expect(openPull(local, repository, pull)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      temporary: false,
    })
  })

  test('twice for the same two branches', async () => {
    const { repository } = await makePair()
    await openPull(local, repository, wanted)
    await expect(openPull(local, repository, wanted)).rejects.toThrow(
      'pull request 1 already asks to merge feature into main',
    )
  })
})

test('an unknown pull request cannot be closed', async () => {
  const { repository } = await makePair()
  await expect(closePull(local, repository, 7)).rejects.toThrow(
    /^local\/hello-\d+ has no pull request 7$/,
  )
})

describe('the merge commit', () => {
  test('has base and head as parents, and is the same each time', async () => {
    const { folder, repository, base, head } = await makePair()
    const { number } = await openPull(local, repository, wanted)
    const all = await Promise.all([1, 2, 3].map(() => local.pull(repository, number)))
    const merge = all[0]?.merge_commit_sha ?? 'none'

    expect(all.map((pull) => pull?.merge_commit_sha)).toEqual([merge, merge, merge])
    expect(await git(folder, 'rev-parse', `refs/pull/${number}/merge`)).toBe(merge)
    expect(await git(folder, 'cat-file', 'commit', merge)).toMatch(
      new RegExp(
        `^tree [0-9a-f]+\nparent ${base}\nparent ${head}\n` +
          'author build-service <build-service@localhost> 1767355200 \\+0000\n' +
          'committer build-service <build-service@localhost> 1767355200 \\+0000\n' +
          `\nMerge ${head} into ${base}$`,
      ),
    )
  })

  test('is the same in another repository with the same commits', async () => {
    const pairs = [await makePair(), await makePair()]
    const merges = await Promise.all(
      pairs.map(async ({ repository }) => {
        const { number } = await openPull(local, repository, wanted)
        return (await local.pull(repository, number))?.merge_commit_sha
      }),
    )
    expect(merges[0]).toMatch(/^[0-9a-f]{40}$/)
    expect(merges[1]).toBe(merges[0])
  })

  test('follows the base', async () => {
    const { folder, repository, head } = await makePair()
    const { number } = await openPull(local, repository, wanted)
    const before = await local.pull(repository, number)
    const base = await commit(folder, { files: { c: 'c' } })
    const after = await local.pull(repository, number)
    expect(after).toMatchObject({ base: { sha: base }, head: { sha: head } })
    expect(after?.merge_commit_sha).not.toBe(before?.merge_commit_sha)
  })

  test('is kept for restarts when the pull request is closed', async () => {
    const { repository } = await makePair()
    const { number } = await openPull(local, repository, wanted)
    const { merge_commit_sha } = (await local.pull(repository, number)) ?? {}
    await closePull(local, repository, number)
    expect(await local.pull(repository, number)).toMatchObject({
      state: 'closed',
      mergeable_state: 'unknown',
      merge_commit_sha,
    })
  })

  test('cannot be created for an unrelated head', async () => {
    const { folder, repository } = await makePair()
    const { number } = await openPull(local, repository, wanted)
    const alien = await commit(folder, { branch: 'alien' })
    await git(folder, 'update-ref', 'refs/heads/feature', alien)
    expect(await local.pull(repository, number)).toMatchObject({
      mergeable_state: 'dirty',
      merge_commit_sha: null,
    })
  })
})

test.each(['main', 'feature'])(
  'a pull request whose branch %s is deleted is closed',
  async (gone) => {
    const { folder, repository, head } = await makePair()
    const { number } = await openPull(local, repository, wanted)
    await git(folder, 'update-ref', '-d', `refs/heads/${gone}`)
    expect(await local.pull(repository, number)).toMatchObject({
      state: 'closed',
      merge_commit_sha: null,
      head: { sha: head },
    })
  },
)

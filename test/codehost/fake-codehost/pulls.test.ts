import { expect, test } from 'vitest'
import { fakeScene, named } from './scene.ts'

const { host, asInstallation, makeRepository } = await fakeScene()

async function committed() {
  const repository = await makeRepository({ private: true })
  const sha = await host.commit(repository, { files: { file: 'x' } })
  return { repository, sha, octokit: await asInstallation(repository), at: named(repository) }
}

async function opened({ draft = false } = {}) {
  const made = await committed()
  const files = { other: 'x' }
  const sha = await host.commit(made.repository, { branch: 'greet', files })
  const pull = await host.openPull(made.repository, { head: 'greet', title: 'Greet', draft })
  const read = async () => {
    const { data } = await made.octokit.rest.pulls.get({ ...made.at, pull_number: pull.number })
    return data
  }
  return { ...made, head: sha, base: made.sha, pull, read }
}

test('a pull request has both sides and their merge commit', async () => {
  const { repository, head, base, pull, read, octokit, at } = await opened()
  const data = await read()
  expect(data).toMatchObject({
    number: pull.number,
    state: 'open',
    title: 'Greet',
    draft: false,
    merged: false,
    mergeable: true,
    mergeable_state: 'clean',
    user: { login: 'octavia' },
    head: { sha: head, ref: 'greet', label: 'octavia:greet', repo: { id: repository.id } },
    base: { sha: base, ref: 'main', repo: { id: repository.id } },
    html_url: `${host.url}/octavia/${repository.name}/pull/${pull.number}`,
  })
  const ref = data.merge_commit_sha ?? ''
  const merge = await octokit.rest.repos.getCommit({ ...at, ref })
  expect(merge.data.parents.map(({ sha }) => sha)).toEqual([base, head])
})

test('a pull request names the old merge commit while a new one is being created', async () => {
  const { repository, read } = await opened()
  host.delayMerges(2)
  const states = async () => {
    const { mergeable, mergeable_state, merge_commit_sha } = await read()
    return [mergeable, mergeable_state, merge_commit_sha]
  }
  expect(await states()).toEqual([null, 'unknown', null])
  expect(await states()).toEqual([null, 'unknown', null])
  const [, , first] = await states()
  expect(first).toMatch(/^[0-9a-f]{40}$/)
  expect(await states()).toEqual([true, 'clean', first])

  await host.commit(repository, { branch: 'greet' })
  expect(await states()).toEqual([null, 'unknown', first])
  expect(await states()).toEqual([null, 'unknown', first])
  const [, , second] = await states()
  expect(second).not.toBe(first)
  host.delayMerges(0)
})

test('a pull request reports conflicts, drafts and pending checks', async () => {
  const conflicting = await opened()
  await conflicting.read()
  await host.commit(conflicting.repository, { files: { other: 'y' } })
  expect(await conflicting.read()).toMatchObject({ mergeable: false, mergeable_state: 'dirty' })

  const draft = await opened({ draft: true })
  expect(await draft.read()).toMatchObject({ draft: true, mergeable_state: 'draft' })

  const checked = await opened()
  const status = { ...checked.at, sha: checked.head, state: 'pending' } as const
  await checked.octokit.rest.repos.createCommitStatus(status)
  expect(await checked.read()).toMatchObject({ mergeable: true, mergeable_state: 'unstable' })
})

test('a pull request can come from a fork, even a deleted one', async () => {
  const { repository, octokit, at } = await committed()
  const fork = await host.fork(repository, 'grace')
  const sha = await host.commit(fork, { branch: 'greet', files: { other: 'x' } })
  const { number } = await host.openPull(repository, { head: 'greet', from: fork })
  const read = () => octokit.rest.pulls.get({ ...at, pull_number: number })
  expect((await read()).data).toMatchObject({
    mergeable_state: 'clean',
    user: { login: 'grace' },
    head: { sha, label: 'grace:greet', repo: { id: fork.id, fork: true } },
  })
  await host.remove(fork)
  expect((await read()).data).toMatchObject({ head: { sha, repo: null } })
})

test('a pull request is closed, reopened, and merged', async () => {
  const { pull, read, octokit, at } = await opened()
  await host.closePull(pull)
  expect(await read()).toMatchObject({ state: 'closed', merged: false, mergeable: null })
  await host.reopenPull(pull)
  const { merge_commit_sha } = await read()
  expect(await host.mergePull(pull, 'grace')).toBe(merge_commit_sha)
  expect(await read()).toMatchObject({
    state: 'closed',
    merged: true,
    merge_commit_sha,
    merged_by: { login: 'grace' },
    merged_at: expect.any(String),
  })
  expect((await octokit.rest.repos.getCommit({ ...at, ref: 'main' })).data).toMatchObject({
    sha: merge_commit_sha,
  })
  expect((await octokit.rest.pulls.list(at)).data).toEqual([])
  const all = await octokit.rest.pulls.list({ ...at, state: 'all', head: 'octavia:greet' })
  expect(all.data.map(({ number }) => number)).toEqual([pull.number])
})

test('a pull request with an unknown number is missing', async () => {
  const { octokit, at } = await committed()
  await expect(octokit.rest.pulls.get({ ...at, pull_number: 7 })).rejects.toMatchObject({
    status: 404,
  })
})

test('a pull request can be unsettled in any state, without its merge commit', async () => {
  const { read } = await opened()
  host.delayMerges(1)
  host.setPullQuirks({ unsettledState: 'blocked', withoutMergeCommit: true })
  const unsettled = await read()
  expect(unsettled).toMatchObject({ mergeable: null, mergeable_state: 'blocked' })
  const settled = await read()
  expect(settled).toMatchObject({ mergeable: true, mergeable_state: 'clean' })
  expect(settled).not.toHaveProperty('merge_commit_sha')
  host.setPullQuirks({})
  host.delayMerges(0)
})

import { describe, expect, test } from 'vitest'
import { fakeScene, named } from './scene.ts'

const { host, asInstallation, withToken, makeRepository } = await fakeScene()

async function committed() {
  const repository = await makeRepository({ private: true })
  const sha = await host.commit(repository, { files: { file: 'x' } })
  return { repository, sha, octokit: await asInstallation(repository), at: named(repository) }
}

describe('a status', () => {
  test('stands at its commit, newest first', async () => {
    const { repository, sha, octokit, at } = await committed()
    const status = { context: 'ci/push', description: 'It waits', target_url: 'https://ci.example' }
    const given = { ...at, sha, ...status }
    const { data } = await octokit.rest.repos.createCommitStatus({ ...given, state: 'pending' })
    expect(data).toMatchObject({ ...status, state: 'pending', creator: { type: 'Bot' } })
    await octokit.rest.repos.createCommitStatus({ ...given, state: 'success' })

    const all = await octokit.rest.repos.listCommitStatusesForRef({ ...at, ref: 'main' })
    expect(all.data.map(({ state }) => state)).toEqual(['success', 'pending'])
    const combined = await octokit.rest.repos.getCombinedStatusForRef({ ...at, ref: sha })
    expect(combined.data).toMatchObject({ state: 'success', total_count: 1 })
    expect(host.statuses(repository, sha)).toMatchObject([
      { ...status, state: 'success', creator: { login: 'build-service[bot]' } },
      { state: 'pending' },
    ])
  })

  test.each([
    ['of a state there is not', { state: 'passed' }, /not included in the list/],
    ['of a commit there is not', { sha: 'f'.repeat(40) }, /No commit found for SHA/],
    ['with too much to say', { description: 'x'.repeat(141) }, /too long/],
    ['that leads nowhere', { target_url: 'ci.example' }, /http/],
  ])('%s is refused', async (_, odd, message) => {
    const { sha, octokit, at } = await committed()
    const given = { ...at, sha, state: 'success', ...odd } as const
    const call = 'POST /repos/{owner}/{repo}/statuses/{sha}'
    await expect(octokit.request(call, given as never)).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(message),
    })
  })

  test('is refused once there are a thousand of its context', async () => {
    const { repository, sha, octokit, at } = await committed()
    const given = { ...at, sha, state: 'pending', context: 'ci/push' } as const
    await octokit.rest.repos.createCommitStatus(given)
    const [first] = host.statuses(repository, sha)
    if (!first) throw new Error('there is no status')
    for (let count = 1; count < 1000; count += 1) host.tables.statuses.push({ ...first })
    await expect(octokit.rest.repos.createCommitStatus(given)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('maximum number of statuses'),
    })
  })
})

describe('a check run', () => {
  const annotation = {
    ...{ path: 'file', start_line: 1, end_line: 1, start_column: 1, end_column: 2 },
    ...({ annotation_level: 'warning', message: 'Odd', title: 'odd' } as const),
  } as const
  const output = { title: 'One finding', summary: 'It is odd', annotations: [annotation] }

  test('is made, changed, and gathers annotations', async () => {
    const { sha, octokit, at, repository } = await committed()
    const given = { ...at, name: 'config', head_sha: sha, external_id: '7' }
    const made = await octokit.rest.checks.create({ ...given, status: 'in_progress' })
    expect(made.data).toMatchObject({
      ...{ name: 'config', head_sha: sha, external_id: '7', status: 'in_progress' },
      ...{ conclusion: null, completed_at: null, app: { slug: 'build-service' } },
      output: { title: null, annotations_count: 0 },
    })
    const check_run_id = made.data.id
    for (let count = 0; count < 2; count += 1) {
      await octokit.rest.checks.update({ ...at, check_run_id, conclusion: 'neutral', output })
    }
    const { data } = await octokit.rest.checks.get({ ...at, check_run_id })
    expect(data).toMatchObject({
      ...{ status: 'completed', conclusion: 'neutral', completed_at: expect.any(String) },
      output: { title: 'One finding', summary: 'It is odd', text: null, annotations_count: 2 },
    })
    const notes = await octokit.rest.checks.listAnnotations({ ...at, check_run_id })
    const note = { ...annotation, raw_details: null, blob_href: expect.any(String) }
    expect(notes.data).toEqual([note, note])
    expect(host.checkRuns(repository, sha)).toHaveLength(1)
  })

  test('hides older ones of its name, unless all are asked for', async () => {
    const { sha, octokit, at } = await committed()
    for (const external_id of ['1', '2']) {
      await octokit.rest.checks.create({ ...at, name: 'config', head_sha: sha, external_id })
    }
    await octokit.rest.checks.create({ ...at, name: 'build', head_sha: sha })
    const list = async (given: { filter?: 'all'; check_name?: string }) => {
      const { data } = await octokit.rest.checks.listForRef({ ...at, ref: sha, ...given })
      expect(data.total_count).toBe(data.check_runs.length)
      return data.check_runs.map(({ name, external_id }) => `${name} ${external_id}`)
    }
    expect(await list({})).toEqual(['build ', 'config 2'])
    expect(await list({ filter: 'all', check_name: 'config' })).toEqual(['config 2', 'config 1'])
  })

  test.each([
    [
      'with more than fifty annotations',
      { annotations: Array.from({ length: 51 }, () => annotation) },
      /more than 50/,
    ],
    ['with columns over lines', { annotations: [{ ...annotation, end_line: 2 }] }, /start_column/],
    ['with too long a summary', { summary: 'x'.repeat(65_536) }, /65535/],
    ['without a summary', { summary: undefined }, /summary/],
  ])('%s is refused', async (_, odd, message) => {
    const { sha, octokit, at } = await committed()
    const given = { ...at, name: 'config', head_sha: sha, output: { ...output, ...odd } }
    const call = 'POST /repos/{owner}/{repo}/check-runs'
    await expect(octokit.request(call, given as never)).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(message),
    })
  })

  test('is made by apps only', async () => {
    const { sha, at } = await committed()
    const octavia = withToken(host.userToken('octavia'))
    const given = { ...at, name: 'config', head_sha: sha }
    await expect(octavia.rest.checks.create(given)).rejects.toMatchObject({ status: 403 })
  })
})

describe('a pull request', () => {
  async function opened(given: { files?: Record<string, string>; draft?: boolean } = {}) {
    const made = await committed()
    const { files = { other: 'x' }, draft = false } = given
    const sha = await host.commit(made.repository, { branch: 'greet', files })
    const pull = await host.openPull(made.repository, { head: 'greet', title: 'Greet', draft })
    const read = async () => {
      const { data } = await made.octokit.rest.pulls.get({ ...made.at, pull_number: pull.number })
      return data
    }
    return { ...made, head: sha, base: made.sha, pull, read }
  }

  test('tells of both sides, and has a merge commit of them', async () => {
    const { repository, head, base, pull, read, octokit, at } = await opened()
    const data = await read()
    expect(data).toMatchObject({
      ...{ number: pull.number, state: 'open', title: 'Greet', draft: false, merged: false },
      ...{ mergeable: true, mergeable_state: 'clean', user: { login: 'octavia' } },
      head: { sha: head, ref: 'greet', label: 'octavia:greet', repo: { id: repository.id } },
      base: { sha: base, ref: 'main', repo: { id: repository.id } },
      html_url: `${host.url}/octavia/${repository.name}/pull/${pull.number}`,
    })
    const ref = data.merge_commit_sha ?? ''
    const merge = await octokit.rest.repos.getCommit({ ...at, ref })
    expect(merge.data.parents.map(({ sha }) => sha)).toEqual([base, head])
  })

  test('has its merge commit made while others wait, and names the old one meanwhile', async () => {
    const { repository, read } = await opened()
    host.delayMerges(2)
    const states = async () => {
      const { mergeable, mergeable_state, merge_commit_sha } = await read()
      return [mergeable, mergeable_state, merge_commit_sha]
    }
    expect(await states()).toEqual([null, 'unknown', null])
    expect(await states()).toEqual([null, 'unknown', null])
    const [, , first] = await states()
    expect(await states()).toEqual([true, 'clean', first])

    await host.commit(repository, { branch: 'greet' })
    expect(await states()).toEqual([null, 'unknown', first])
    expect(await states()).toEqual([null, 'unknown', first])
    const [, , second] = await states()
    expect(second).not.toBe(first)
    host.delayMerges(0)
  })

  test('that has conflicts, is a draft or waits for checks says so', async () => {
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

  test('comes from a fork, which may be gone some day', async () => {
    const { repository, octokit, at } = await committed()
    const fork = await host.fork(repository, 'grace')
    const sha = await host.commit(fork, { branch: 'greet', files: { other: 'x' } })
    const { number } = await host.openPull(repository, { head: 'greet', from: fork })
    const read = () => octokit.rest.pulls.get({ ...at, pull_number: number })
    expect((await read()).data).toMatchObject({
      ...{ mergeable_state: 'clean', user: { login: 'grace' } },
      head: { sha, label: 'grace:greet', repo: { id: fork.id, fork: true } },
    })
    await host.remove(fork)
    expect((await read()).data).toMatchObject({ head: { sha, repo: null } })
  })

  test('is closed, opened again, merged', async () => {
    const { pull, read, octokit, at } = await opened()
    await host.closePull(pull)
    expect(await read()).toMatchObject({ state: 'closed', merged: false, mergeable: null })
    await host.reopenPull(pull)
    const { merge_commit_sha } = await read()
    expect(await host.mergePull(pull, 'grace')).toBe(merge_commit_sha)
    expect(await read()).toMatchObject({
      ...{ state: 'closed', merged: true, merge_commit_sha, merged_by: { login: 'grace' } },
      merged_at: expect.any(String),
    })
    expect((await octokit.rest.repos.getCommit({ ...at, ref: 'main' })).data).toMatchObject({
      sha: merge_commit_sha,
    })
    expect((await octokit.rest.pulls.list(at)).data).toEqual([])
    const all = await octokit.rest.pulls.list({ ...at, state: 'all', head: 'octavia:greet' })
    expect(all.data.map(({ number }) => number)).toEqual([pull.number])
  })

  test('is missing by any other number', async () => {
    const { octokit, at } = await committed()
    await expect(octokit.rest.pulls.get({ ...at, pull_number: 7 })).rejects.toMatchObject({
      status: 404,
    })
  })
})

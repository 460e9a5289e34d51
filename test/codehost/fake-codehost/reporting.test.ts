import { describe, expect, test } from 'vitest'
import { fakeScene, named } from './scene.ts'

const { host, asInstallation, withToken, makeRepository } = await fakeScene()

async function committed() {
  const repository = await makeRepository({ private: true })
  const sha = await host.commit(repository, { files: { file: 'x' } })
  return { repository, sha, octokit: await asInstallation(repository), at: named(repository) }
}

describe('a status', () => {
  test('is listed at its commit, newest first', async () => {
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
    ['with an unknown state', { state: 'passed' }, /not included in the list/],
    ['of an unknown commit', { sha: 'f'.repeat(40) }, /No commit found for SHA/],
    ['with too long a description', { description: 'x'.repeat(141) }, /too long/],
    ['with an unpaired surrogate', { description: 'x\uD83D' }, /parsing JSON/],
    ['with an invalid link', { target_url: 'ci.example' }, /http/],
  ])('%s is refused', async (_, odd, message) => {
    const { sha, octokit, at } = await committed()
    const given = { ...at, sha, state: 'success', ...odd } as const
    const call = 'POST /repos/{owner}/{repo}/statuses/{sha}'
    await expect(octokit.request(call, given as never)).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(message),
    })
  })

  test('of an archived repository is refused', async () => {
    const { repository, sha, octokit, at } = await committed()
    await host.setArchived(repository, true)
    const given = { ...at, sha, state: 'success' } as const
    await expect(octokit.rest.repos.createCommitStatus(given)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('archived so is read-only'),
    })
  })

  test('is refused once its context has a thousand statuses', async () => {
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
    path: 'file',
    start_line: 1,
    end_line: 1,
    start_column: 1,
    end_column: 2,
    ...({ annotation_level: 'warning', message: 'Odd', title: 'odd' } as const),
  } as const
  const output = { title: 'One finding', summary: 'It is odd', annotations: [annotation] }

  test('is created, changed, and accumulates annotations', async () => {
    const { sha, octokit, at, repository } = await committed()
    const given = { ...at, name: 'config', head_sha: sha, external_id: '7' }
    const made = await octokit.rest.checks.create({ ...given, status: 'in_progress' })
    expect(made.data).toMatchObject({
      name: 'config',
      head_sha: sha,
      external_id: '7',
      status: 'in_progress',
      conclusion: null,
      completed_at: null,
      app: { slug: 'build-service' },
      output: { title: null, annotations_count: 0 },
    })
    const check_run_id = made.data.id
    for (let count = 0; count < 2; count += 1) {
      await octokit.rest.checks.update({ ...at, check_run_id, conclusion: 'neutral', output })
    }
    const { data } = await octokit.rest.checks.get({ ...at, check_run_id })
    expect(data).toMatchObject({
      status: 'completed',
      conclusion: 'neutral',
      completed_at: expect.any(String),
      output: { title: 'One finding', summary: 'It is odd', text: null, annotations_count: 2 },
    })
    const notes = await octokit.rest.checks.listAnnotations({ ...at, check_run_id })
    const note = { ...annotation, raw_details: null, blob_href: expect.any(String) }
    expect(notes.data).toEqual([note, note])
    expect(host.checkRuns(repository, sha)).toHaveLength(1)
  })

  test('hides older runs of its name, unless all are requested', async () => {
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
    [
      'with columns across lines',
      { annotations: [{ ...annotation, end_line: 2 }] },
      /start_column/,
    ],
    ['with too long a summary', { summary: 'x'.repeat(65_536) }, /65535/],
    ['with a summary of too many bytes', { summary: 'ж'.repeat(32_768) }, /65535/],
    ['with a text of too many bytes', { text: '€'.repeat(21_846) }, /65535/],
    ['with too long a title', { title: 'x'.repeat(256) }, /255/],
    ['with an unpaired surrogate', { title: 'x\uD83D' }, /parsing JSON/],
    [
      'with too long an annotation',
      { annotations: [{ ...annotation, message: 'ж'.repeat(32_768) }] },
      /too long/,
    ],
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

  test('can be created by apps only', async () => {
    const { sha, at } = await committed()
    const octavia = withToken(host.userToken('octavia'))
    const given = { ...at, name: 'config', head_sha: sha }
    await expect(octavia.rest.checks.create(given)).rejects.toMatchObject({ status: 403 })
  })
})
